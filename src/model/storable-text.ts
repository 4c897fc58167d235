/**
 * Text that both storage engines keep byte for byte: PostgreSQL stores no NUL, and a lone surrogate has no UTF-8 form.
 * Both become U+FFFD before anything is hashed, so hash, storage and event agree. Everything else stays as it is.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed()
}
