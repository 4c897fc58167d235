/** Characters of a title or body that are looked at: people say what matters early, and work stays bounded. */
const CHARS_MAX = 4_000

/**
 * The text as its reader sees it, in one spelling: at most 4,000 characters, well formed, NFKC (full-width and
 * ligature forms become plain), straight apostrophes, no invisible or direction-changing characters.
 */
export function normalize(text: string): string {
  return (
    text
      .slice(0, CHARS_MAX)
      .toWellFormed()
      .normalize('NFKC')
      .slice(0, CHARS_MAX)
      .replace(/[’‘`´ʼ＇]/gu, "'")
      .replace(/[“”„«»]/gu, '"')
      // A forged end of the review: what follows it is made to be taken for another one.
      .replace(/<\/review>[\s\S]*$/iu, ' ')
      .replace(/\S+/gu, withoutLinks)
      .replace(/\p{Cf}|\uFE0F/gu, '')
  )
}

/**
 * A stretch without blanks, and a blank for the link or the e-mail address in it. An address is looked for with
 * `indexOf`: `\S+@\S+\.\S+` tries every way to share `@` and `.` out, which is cubic, and 3,000 `@` take it half a minute.
 */
function withoutLinks(stretch: string): string {
  const at = stretch.indexOf('@', 1)
  const dot = at === -1 ? -1 : stretch.indexOf('.', at + 2)
  const isAddress = dot !== -1 && dot < stretch.length - 1
  return isAddress ? ' ' : stretch.replace(/(?:https?:\/\/|www\.)\S+/iu, ' ')
}

/** Every number with a point compares as this one, so that a table can speak of any version (`since 0.0`). */
export const ANY_VERSION = '0.0'

/**
 * A word as the phrase tables compare it: lower case, without accents (people leave them out), Devanagari
 * without nukta and with one nasal sign, and a letter repeated three times or more written twice. The German verbs of
 * wishing keep their umlaut, spelled ae, oe, ue: without it "wäre", "würde", "möchte" are "was", "became", "liked".
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower.replace(REPEATS, '$1$1')
  // One character of Japanese or Korean: nothing to take off, and taking it apart would cost the most.
  if (lower.length === 1 && lower >= '\u3040') return lower
  const spelled = WISHING.test(lower) ? lower.replace(/[äöü]/, (umlaut) => `${UMLAUTS[umlaut]}`) : lower
  return spelled
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u093c]/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('œ', 'oe')
    .replaceAll('ँ', 'ं')
    .replace(REPEATS, '$1$1')
}

const WISHING = /^(?:wär|wür[dt]|hätt|könnt|möcht|mü(?:ss|ß)t|dürft|lä(?:ss|ß)t)/
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

const REPEATS = /([a-z])\1{2,}/g
