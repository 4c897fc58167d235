/** Rows in aligned columns, with a header; empty for no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  )
  return [header, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** A time in UTC with seconds; `-` for null. */
export function shownAt(at: Date | null): string {
  return at === null ? '-' : `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`
}

/** Untrusted text for a terminal, with control characters replaced. */
export function sanitize(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
}

/** The first `charsMax` characters of an untrusted text, on one line, with control characters replaced. */
export function excerpt(text: string, charsMax: number): string {
  const chars = [...sanitize(text.replaceAll(/\s+/g, ' ').trim())]
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join('')}…` : chars.join('')
}

export const JSON_OPTION = { help: 'Print one JSON object per line instead.' } as const

export function jsonLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** Untrusted data as one line of JSON, with control characters escaped, since a terminal would execute them. */
export function jsonLine(row: object): string {
  return `${JSON.stringify(row).replaceAll(/[\p{Cc}\p{Cf}]/gu, escaped)}\n`
}

/** The JSON escapes of a character, in UTF-16 units. */
function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
