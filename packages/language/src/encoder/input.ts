import { normalize } from '../text/normalize.ts'

/** A longer app name is truncated, to leave tokens for the text. */
const APP_NAME_CHARS_MAX = 80

/**
 * The prefix of the encoder's input: the stars (`☆` when hidden) and the app's name if known. train/prepare.ts builds the same
 * input.
 */
export function inputPrefix(rating: number | null, appName: string | null): string {
  const stars = rating === null ? '☆' : `★${rating}`
  const name = normalize(appName ?? '')
    .slice(0, APP_NAME_CHARS_MAX)
    .toWellFormed()
    .trim()
  return name === '' ? stars : `${stars} ${name} |`
}
