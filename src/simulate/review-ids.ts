import type { Store } from '../model/vocabulary.ts'

/**
 * Creates ids like those of the stores: increasing numbers for Apple, UUIDs for Google. `random` returns 0 to 1; the same numbers give the
 * same ids.
 */
export function createReviewIds(random: () => number): (store: Store, publishedAt: Date) => string {
  let last = 0
  return (store, publishedAt) => {
    if (store === 'google') return uuid(random)
    // Tenths of a second give ten digits. Apple's ids of 2021 to 2026 have ten or eleven.
    last = Math.max(last + 1, Math.floor(publishedAt.getTime() / 100) - 10_000_000_000)
    return String(last)
  }
}

function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
  digits[12] = '4'
  digits[16] = '89ab'[Math.floor(random() * 4)] ?? '8'
  const text = digits.join('')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => text.slice(from, to))
    .join('-')
}
