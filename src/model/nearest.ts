/** The maximum edit distance between a mistyped word and a suggestion. */
const DISTANCE_MAX = 2

/** The most similar known word; null when none is similar enough. */
export function nearest(word: string, known: readonly string[], distanceMax = DISTANCE_MAX): string | null {
  const [best] = known
    .map((each) => ({ each, distance: distance(word, each) }))
    .filter((one) => one.distance <= distanceMax && one.distance < one.each.length)
    .sort((a, b) => a.distance - b.distance)
  return best?.each ?? null
}

/** The edit distance: letters to insert, delete, replace or swap with the next one. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const steps = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same]
      if (swapped) steps.push(at(i - 2, j - 2) + 1)
      rows[i]?.push(Math.min(...steps))
    }
  }
  return at(a.length, b.length)
}
