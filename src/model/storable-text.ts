/**
 * Text that both storage engines keep byte for byte: PostgreSQL stores no NUL, and a lone surrogate has no UTF-8 form. Both become U+FFFD
 * before hashing, so that hash, stored text and event agree. All other characters are unchanged.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}
