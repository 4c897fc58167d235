/** Rows as columns of even width, with a header; nothing at all for no rows. */
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

/** An instant as people read it, to the second, UTC; `-` for none. */
export function shownAt(at: Date | null): string {
  return at === null ? '-' : `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`
}

/** What strangers wrote, on a terminal: control characters could do more than be read. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')
}

/** The first characters of what strangers wrote, harmless and on one line; at most `charsMax`. */
export function excerpt(text: string, charsMax: number): string {
  const chars = [...harmless(text.replaceAll(/\s+/g, ' ').trim())]
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join('')}…` : chars.join('')
}
