export type RatingRow = {
  readonly country: string
  readonly observed_at: string
  readonly rating: number
  readonly rating_count: number
}

/** The rows, newest first, with the change since the previous row of the storefront; null for the oldest row of a page. */
export function changesOf(rows: readonly RatingRow[]): (RatingRow & { readonly change: number | null })[] {
  const newer = new Map<string, number>()
  const changed: (RatingRow & { change: number | null })[] = []
  for (const row of rows) {
    const at = newer.get(row.country)
    const after = at === undefined ? undefined : changed[at]
    // Rounded to six digits, as ratings are stored.
    if (after !== undefined) after.change = Math.round((after.rating - row.rating) * 1_000_000) / 1_000_000
    newer.set(row.country, changed.length)
    changed.push({ ...row, change: null })
  }
  return changed
}
