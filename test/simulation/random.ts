/** A stream of pseudo-random numbers, determined by its seed and name. */
export type Random = {
  /** From 0 up to, not including, 1. */
  readonly next: () => number
  /** A whole number from 0 up to, not including, `end`. */
  readonly below: (end: number) => number
  /** A number from `least` up to, not including, `end`. */
  readonly between: (least: number, end: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  /** An independent stream: drawing from one stream never changes another, so faults can be removed from a schedule. */
  readonly fork: (name: string) => Random
}

/** SplitMix32 over a hash of seed and name. */
export function createRandom(seed: number, name = ''): Random {
  let state = hashOf(seed, name)
  const next = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    between: (least, end) => least + next() * (end - least),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new RangeError('the list is empty')
      return picked
    },
    fork: (child) => createRandom(seed, `${name}/${child}`),
  }
}

/** FNV-1a. */
function hashOf(seed: number, name: string): number {
  let hash = 0x811c9dc5
  for (const char of `${seed}/${name}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return hash
}
