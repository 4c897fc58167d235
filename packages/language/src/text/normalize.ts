/** Characters read of title and body together, to limit the work per review. */
const CHARS_MAX = 4_000

/**
 * The text in one canonical spelling: at most 4,000 characters, well formed, NFKC (full-width and
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
      // A forged end of the review, followed by a forged review.
      .replace(/<\/review>[\s\S]*$/iu, ' ')
      .replace(/\S+/gu, withoutLinks)
      .replace(/\p{Cf}|\uFE0F/gu, '')
  )
}

/**
 * Replaces the link or e-mail address in a run of non-space characters by a space. Addresses are found with `indexOf`: the
 * expression `\S+@\S+\.\S+` is cubic and takes half a minute on 3,000 `@`.
 */
function withoutLinks(run: string): string {
  const at = run.indexOf('@', 1)
  const dot = at === -1 ? -1 : run.indexOf('.', at + 2)
  const isAddress = dot !== -1 && dot < run.length - 1
  return isAddress ? ' ' : run.replace(/(?:https?:\/\/|www\.)\S+/iu, ' ')
}

/** All version numbers are folded to this one, so that a word list can match any version. */
export const ANY_VERSION = '0.0'

/**
 * A word as word lists compare it: lower case, without accents (people omit them), Devanagari without nukta and with one nasal mark, and a
 * letter repeated three times or more reduced to two.
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower.replace(REPEATS, '$1$1')
  // One Japanese or Korean character has nothing to fold, and decomposing it is slow.
  if (lower.length === 1 && lower >= '\u3040') return lower
  return lower
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

const REPEATS = /([a-z])\1{2,}/g
