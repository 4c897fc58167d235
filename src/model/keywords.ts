/**
 * Keywords of a watch (docs/contract.md, Keywords). Text is compared without case, width, accents of composition and
 * invisible characters. A keyword begins where a word begins, except in scripts that do not separate words.
 */

/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese, Tibetan. */
const WITHOUT_WORDS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u
const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u

/** Between the parts of a text. Folded text never contains it, so that no keyword matches across it. */
const PART_END = '\n'

/**
 * Unicode NFKC and case folding. JavaScript has no case folding: lower, upper and lower case in turn is the same for all
 * characters but the sigma at the end of a word and the dotted capital I. Typographic apostrophes become `'`, white space becomes single spaces.
 */
export function folded(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/\p{DI}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** The parts of a review as one text for `keywordMatcher`. */
export function foldedParts(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [folded(part)] : [])).join(PART_END)
}

/** A state of the automaton: a prefix of keywords. */
type State = {
  readonly next: Map<number, State>
  /** The state of the longest proper suffix. */
  fail: State | null
  /** The lengths of the keywords that end here, shorter ones included. */
  readonly ends: { readonly length: number; readonly atWordStart: boolean }[]
}

/**
 * A function that finds whether a folded text contains one of the keywords. It reads each character of the text once
 * (Aho–Corasick), whatever the number of keywords.
 */
export function keywordMatcher(keywords: readonly string[]): (foldedText: string) => boolean {
  const root = automatonOf(keywords.map(folded).filter((keyword) => keyword !== ''))
  return (text) => {
    let state = root
    for (let at = 0; at < text.length; at += 1) {
      state = step(root, state, text.charCodeAt(at))
      for (const { length, atWordStart } of state.ends) {
        if (!atWordStart || isWordStart(text, at + 1 - length)) return true
      }
    }
    return false
  }
}

function automatonOf(keywords: readonly string[]): State {
  const root = newState()
  for (const keyword of keywords) {
    let state = root
    for (let at = 0; at < keyword.length; at += 1) {
      const unit = keyword.charCodeAt(at)
      const next = state.next.get(unit) ?? newState()
      state.next.set(unit, next)
      state = next
    }
    state.ends.push({ length: keyword.length, atWordStart: beginsWord(keyword) })
  }
  // By length, so that the state of a suffix is complete before the states that continue it.
  const queue = [...root.next.values()]
  for (const child of queue) child.fail = root
  for (const state of queue) {
    for (const [unit, next] of state.next) {
      next.fail = step(root, state.fail ?? root, unit)
      next.ends.push(...next.fail.ends)
      queue.push(next)
    }
  }
  return root
}

function newState(): State {
  return { next: new Map(), fail: null, ends: [] }
}

function step(root: State, from: State, unit: number): State {
  for (let state: State | null = from; state !== null; state = state.fail) {
    const next = state.next.get(unit)
    if (next !== undefined) return next
  }
  return root
}

/** Whether a keyword must begin where a word begins: it begins with a letter or digit of a script with words. */
function beginsWord(keyword: string): boolean {
  const first = String.fromCodePoint(keyword.codePointAt(0) ?? 0)
  return OF_A_WORD.test(first) && !WITHOUT_WORDS.test(first)
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1))
  const before = text.slice(at - (isPair ? 2 : 1), at)
  return !OF_A_WORD.test(before) || WITHOUT_WORDS.test(before)
}
