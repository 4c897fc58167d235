/** The most characters of a review to send to the model: longer texts add cost but little information. */
export const TEXT_CHARS_MAX = 2_000

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu, '[email]'],
  [/\bhttps?:\/\/[^\s"'<>]{1,2000}/giu, '[link]'],
  [/\bwww\.[^\s"'<>]{1,2000}/giu, '[link]'],
  // IBAN: two letters, two digits, then groups.
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/gu, '[account]'],
  // Phone numbers with brackets or a country code.
  [/(?:\(\d{1,5}\)|\+\d{1,3})[ .-]?\d(?:[ .-]?\d){5,20}/gu, '[number]'],
  // Cards, phone numbers, order numbers: seven digits or more, in groups or not. No dots, since versions have them.
  [/\d(?:[ -]?\d){6,30}/gu, '[number]'],
]

/**
 * A review's text for an external model, at most 2,000 characters: e-mail addresses, links, bank accounts and long
 * numbers are replaced by their kind, and invisible direction marks are removed. It never includes the author's name.
 */
export function redact(text: string): string {
  // Bounds the work below. Removed characters may be half of the text.
  const visible = text
    .slice(0, 2 * TEXT_CHARS_MAX)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu, '')
    .toWellFormed()
  const cut = visible.length > TEXT_CHARS_MAX ? visible.slice(0, TEXT_CHARS_MAX).toWellFormed() : visible
  return REPLACEMENTS.reduce((rest, [pattern, kind]) => rest.replace(pattern, kind), cut)
}
