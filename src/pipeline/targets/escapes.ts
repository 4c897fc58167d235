/** How values are escaped, by the place of a template. */
export type Escape = (text: string) => string

/** Inside a string of JSON. */
export const jsonEscape: Escape = (text) =>
  JSON.stringify(text).slice(1, -1).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** As text or as a quoted attribute. */
export const htmlEscape: Escape = (text) => text.replace(/[&<>"']/g, (mark) => HTML[mark] ?? mark)

/** As the name or value of a query or form. */
export const formEscape: Escape = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** As one part of a path or query. `.` and `..` would choose another path, also percent-encoded, so they become `…`. */
export const urlEscape: Escape = (text) => formEscape(text.replace(/^\.\.?$/, '…'))

/** Header values are visible ASCII; anything else becomes `?`, and line breaks spaces. */
export const headerEscape: Escape = (text) => text.replace(/\s+/g, ' ').replace(/[^\x20-\x7E]/gu, '?')
