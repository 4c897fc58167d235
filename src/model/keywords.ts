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
 * Unicode NFKC and case folding. JavaScript has no case folding: lower, upper and lower case in turn is the same for all characters but the
 * sigma at the end of a word and the dotted capital I. Typographic apostrophes become `'`, white space becomes single spaces.
 */
export function folded(text: string): string {
  // Most texts are ASCII, where folding is lower case.
  if (/^[\0-\x7f]*$/.test(text)) return tidied(text.toLowerCase())
  const wide = text
    .toWellFormed()
    .normalize('NFKC')
    .replaceAll(/\p{DI}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll('i\u0307', 'i')
  return tidied(wide)
}

function tidied(text: string): string {
  return text
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The parts of a review as one text for `keywordMatcher`. */
export function foldedParts(parts: readonly (string | null | undefined)[]): string {
  return parts.flatMap((part) => (part ? [folded(part)] : [])).join(PART_END)
}

/**
 * A function that finds whether a folded text contains one of the keywords. Its time is linear in the length of the
 * text, also for texts that are made to be slow, and preparing a keyword costs less than searching for it.
 */
export function keywordMatcher(keywords: readonly string[]): (foldedText: string) => boolean {
  const prepared = keywords
    .map(folded)
    .filter((keyword) => keyword !== '')
    .map((keyword) => ({ keyword, borders: bordersOf(keyword), atWordStart: beginsWord(keyword) }))
  return (text) => prepared.some((each) => isFound(text, each))
}

type Prepared = {
  readonly keyword: string
  readonly borders: Uint16Array
  readonly atWordStart: boolean
}

/** Knuth–Morris–Pratt, which skips to the next first character while nothing matches. */
function isFound(text: string, { keyword, borders, atWordStart }: Prepared): boolean {
  const first = keyword.charAt(0)
  let matched = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== keyword.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (unit === keyword.charCodeAt(matched)) matched += 1
    else {
      const next = text.indexOf(first, at + 1)
      if (next === -1) return false
      at = next - 1
    }
    if (matched === keyword.length) {
      if (!atWordStart || isWordStart(text, at + 1 - matched)) return true
      matched = borders[matched - 1] ?? 0
    }
  }
  return false
}

/** For each prefix of a keyword, the length of its longest proper prefix that is also its suffix. */
function bordersOf(keyword: string): Uint16Array {
  const borders = new Uint16Array(keyword.length)
  let length = 0
  for (let at = 1; at < keyword.length; at += 1) {
    while (length > 0 && keyword.charCodeAt(at) !== keyword.charCodeAt(length))
      length = borders[length - 1] ?? 0
    if (keyword.charCodeAt(at) === keyword.charCodeAt(length)) length += 1
    borders[at] = length
  }
  return borders
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
