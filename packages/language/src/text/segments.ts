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
}

/** Longer text without punctuation is split, which keeps matching linear. */
const SEGMENT_TOKENS_MAX = 120
/** A sentence with more segments is split into several. */
const SENTENCE_SEGMENTS_MAX = 32
/** Segments read per text. 4,000 characters of prose have about 200; "a,a,a," has 2,000. */
const SEGMENTS_MAX = 400

/** Characters of Chinese, Japanese and Korean, as the inside of a character class. */
export const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー'
const PIECE = new RegExp(
  `(?<number>(?:v|(?<!\\d))\\d+(?:[.,]\\d+)+)|(?<cjk>[${CJK}])|(?<word>[[\\p{L}\\p{M}\\p{N}]--[${CJK}]]+)|` +
    '(?<end>[.!?\\u2026。\\n\\r।]+)|(?<pause>[,;:、،\\(\\)\\{\\}\\[\\]"~\\|•*]|\\s[\\-–—]+\\s|\\p{Extended_Pictographic})|(?<space>\\s)',
  'gv',
)

/**
 * Splits the text into segments of tokens. `apostropheSplits`: whether an apostrophe separates two words (French, Italian) or is part of
 * one (`don't` is compared as `dont`).
 */
export function segment(text: string, apostropheSplits: boolean): Segment[] {
  const plain = text.replace(/(?<=[\p{L}])'(?=[\p{L}])/gu, apostropheSplits ? ' ' : '')
  const segments: Segment[] = []
  let tokens: Token[] = []
  let sentence = 0
  let inSentence = 0
  let spaced = true
  const endSentence = () => {
    sentence++
    inSentence = 0
  }
  const close = () => {
    if (tokens.length === 0) return
    segments.push({ tokens, sentence })
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
      if (tokens.length >= SEGMENT_TOKENS_MAX) close()
      continue
    }
    spaced = true
    if (found.space !== undefined) continue
    close()
    if (found.end !== undefined) endSentence()
  }
  close()
  return segments
}
