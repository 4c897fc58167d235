import { lazily } from '../../model/lazily.ts'

/**
 * Texts of reviews are hostile. These functions make them harmless as text; each type of target also escapes the
 * markup of its service.
 */

/**
 * Controls, invisible characters, and embeddings, overrides and isolates, which would reorder the text around them. Joiners and variation
 * selectors stay: scripts and emoji need them.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]--[\t\n\u200C\u200D\uFE00-\uFE0F]]/gv
/** Marks stacked on one letter, which would cover the lines around it. Real texts have up to four. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** Text in paragraphs without control and invisible characters, with at most one empty line in a row. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(STACKED_MARKS, '$1')
    .replaceAll('\t', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The same in one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ')
}

/** Right-to-left text in a line of other parts must not reorder them. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

const graphemes = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))
/** How far back to look for the end of a word. */
const WORD_CHARS_MAX = 30

/**
 * At most `charsMax` UTF-16 units. A longer text ends with "…", after a whole word if that keeps half of the room, else after a whole
 * character.
 */
export function truncated(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  if (charsMax < 1) return ''
  const room = charsMax - 1
  const start =
    graphemes()
      .segment(text.slice(0, room + WORD_CHARS_MAX))
      .containing(room)?.index ?? room
  // A character can be longer than the room for it.
  const end = start > room - WORD_CHARS_MAX ? start : wholeSurrogates(text, room)
  const from = Math.max(Math.ceil(room / 2), end - WORD_CHARS_MAX)
  const space = text.slice(from, end + 1).search(/\s\S*$/)
  return `${text.slice(0, space >= 0 ? from + space : end).trimEnd()}…`
}

function wholeSurrogates(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end
}

/** The longest beginning of the text that has at most `charsMax` UTF-16 units after `escaped`. */
export function truncatedEscaped(text: string, charsMax: number, escaped: (text: string) => string): string {
  return escaped(longestFitting(text, charsMax, (short) => escaped(short).length <= charsMax))
}

/** The longest beginning of the text that has at most `bytesMax` bytes of UTF-8. */
export function truncatedToBytes(text: string, bytesMax: number): string {
  return longestFitting(text, bytesMax, (short) => Buffer.byteLength(short) <= bytesMax)
}

/** Searches between 0 and `charsMax`, since nothing fits that is longer even before it grows. */
function longestFitting(text: string, charsMax: number, fits: (short: string) => boolean): string {
  if (text.length <= charsMax && fits(text)) return text
  let fitting = 0
  let tooMany = Math.min(text.length, charsMax + 1)
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2)
    if (fits(truncated(text, middle))) fitting = middle
    else tooMany = middle
  }
  return truncated(text, fitting)
}

const WORD_JOINER = '\u2060'
/**
 * What services and mail programs turn into links or mentions by themselves: addresses, domains, mentions, hashtags,
 * cash tags, commands, times in media, phone and card numbers. Each alternative matches one place to break.
 */
const AUTOMATIC_LINKS =
  /(?<=[@#$])(?=[\p{L}\p{N}_])|(?<=(?:^|[^\p{L}\p{N}/])\/)(?=[\p{L}_])|(?<=:)(?=\/\/)|(?<=[\p{L}\p{N}_-]\.)(?=\p{L})|(?<=\d\.)(?=\d{1,3}\.\d{1,3}\.\d)|(?<=\d:)(?=\d\d)|(?<=[\p{L}\p{N}])(?=@)|(?<=\+)(?=\d)|(?<=\d{4})(?=[ -]?\d)|(?<=\b(?:mailto|tel|javascript|tg|data))(?=:)/giu

/** Text without automatic links and mentions: an invisible word joiner breaks them. */
export function unlinked(text: string): string {
  return text.replace(AUTOMATIC_LINKS, WORD_JOINER)
}
