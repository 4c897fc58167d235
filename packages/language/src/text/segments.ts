import { ANY_VERSION, foldWord } from './normalize.ts'

/** One word, or one character of Japanese, Chinese or Korean, where spaces are not reliable. */
export type Token = {
  readonly folded: string
  /** As written, for names. */
  readonly surface: string
  /** Preceded by a space: separates the words of a Korean sentence. */
  readonly spaced: boolean
  /** The character continues a word. Set for Japanese only, by markJapaneseWords. */
  readonly insideWord: boolean
}

/** The text between two punctuation marks. Phrases are matched within one segment. */
export type Segment = {
  readonly tokens: readonly Token[]
  /** Counts from 0; the segments of one sentence share it. */
  readonly sentence: number
  readonly question: boolean
}

export type SegmentedText = { readonly segments: readonly Segment[]; readonly emoji: readonly string[] }

/** Longer text without punctuation is cut, which keeps matching linear. */
const SEGMENT_TOKENS_MAX = 120
/** A sentence with more segments is split into several. */
const SENTENCE_SEGMENTS_MAX = 32
/** Segments read per text. 4,000 characters of prose have about 200; "a,a,a," has 2,000. */
const SEGMENTS_MAX = 400

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー'
const PIECE = new RegExp(
  `(?<number>v?\\d+(?:[.,]\\d+)+)|(?<cjk>[${CJK}])|(?<word>[[\\p{L}\\p{M}\\p{N}]--[${CJK}]]+)|` +
    '(?<end>[.!?\\u2026。\\n\\r।]+)|(?<pause>[,;:、،\\(\\)\\{\\}\\[\\]"~\\|•*]|\\s[\\-–—]+\\s)|(?<emoji>\\p{Extended_Pictographic})|(?<blank>\\s)',
  'gv',
)

/**
 * The text cut into segments of tokens, and its emoji in order. `apostropheSplits`: whether an apostrophe parts
 * two words (French, Italian) or belongs to one (`don't` is compared as `dont`).
 */
export function segment(text: string, apostropheSplits: boolean): SegmentedText {
  const plain = text.replace(/(?<=[\p{L}])'(?=[\p{L}])/gu, apostropheSplits ? ' ' : '')
  const segments: Segment[] = []
  const emoji: string[] = []
  let tokens: Token[] = []
  let sentence = 0
  let inSentence = 0
  let spaced = true
  const endSentence = () => {
    sentence++
    inSentence = 0
  }
  const close = (question: boolean) => {
    if (tokens.length === 0) return
    segments.push({ tokens, sentence, question })
    tokens = []
    inSentence++
    if (inSentence >= SENTENCE_SEGMENTS_MAX) endSentence()
  }
  for (const piece of plain.matchAll(PIECE)) {
    if (segments.length >= SEGMENTS_MAX) break
    const found = piece.groups ?? {}
    const surface = found.number ?? found.cjk ?? found.word
    if (surface !== undefined) {
      const folded = found.number === undefined ? foldWord(surface) : ANY_VERSION
      tokens.push({ folded, surface, spaced, insideWord: false })
      spaced = false
      if (tokens.length >= SEGMENT_TOKENS_MAX) close(false)
      continue
    }
    spaced = true
    if (found.end !== undefined) {
      close(found.end.includes('?'))
      endSentence()
    } else if (found.pause !== undefined) close(false)
    else if (found.emoji !== undefined) {
      emoji.push(found.emoji)
      close(false)
    }
  }
  close(false)
  return { segments, emoji }
}
