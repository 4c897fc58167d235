/**
 * Reviews in one request. More save prompt tokens; fewer lose less with one bad answer. Servers handle 5 to 10 well.
 */
export const BATCH_MAX = 6
/** A longer text gets its own request, so that it cannot influence the answers for other reviews. */
export const SHARED_CHARS_MAX = 500
/** With fewer letters ("ok", "👍👍") a model is not better than the offline rules. */
export const LETTERS_MIN = 8

/** Groups of at most `BATCH_MAX` in the order of the input. A long text is alone in its group. */
export function batchesOf<T>(items: readonly T[], charsOf: (item: T) => number): T[][] {
  const batches: T[][] = []
  let open: T[] = []
  for (const item of items) {
    if (charsOf(item) > SHARED_CHARS_MAX) {
      batches.push([item])
      continue
    }
    if (open.length === 0) batches.push(open)
    open.push(item)
    if (open.length === BATCH_MAX) open = []
  }
  return batches
}

export function hasLetters(text: string): boolean {
  return (text.match(/\p{L}/gu) ?? []).length >= LETTERS_MIN
}
