import type { Rate } from '../../runtime/gcra.ts'

/** The rate limit of a hook. The burst is a fifth of a second's worth, so that not every request needs a claim. */
export function rateOf(ratePerSecond: number): Rate {
  return { burst: Math.max(1, Math.ceil(ratePerSecond / 5)), intervalMs: 1000 / ratePerSecond }
}
