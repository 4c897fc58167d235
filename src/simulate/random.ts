/** Reproducible random numbers from a seed (mulberry32; not for secrets). */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  readonly between: (least: number, most: number) => number
  /** Throws for an empty list. */
  readonly pick: <T>(list: readonly T[]) => T
  readonly pickWeighted: <T>(list: readonly T[], weightOf: (item: T) => number) => T
  readonly shuffled: <T>(list: readonly T[]) => T[]
}

export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pickWeighted: Random['pickWeighted'] = (list, weightOf) => {
    let left = next() * list.reduce((sum, item) => sum + weightOf(item), 0)
    const found = list.find((item) => {
      left -= weightOf(item)
      return left < 0
    })
    const chosen = found ?? list.at(-1)
    if (chosen === undefined) throw new RangeError('The list is empty.')
    return chosen
  }
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick: (list) => pickWeighted(list, () => 1),
    pickWeighted,
    shuffled: (list) =>
      list
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
  }
}
