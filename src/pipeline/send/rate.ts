import type { Rate } from '../../runtime/gcra.ts'

/** The rate limit of a hook. The burst lasts a fifth of a second, so that one claim serves several requests. */
export function rateOf(ratePerSecond: number): Rate {
  return { burst: Math.max(1, Math.ceil(ratePerSecond / 5)), intervalMs: 1000 / ratePerSecond }
}
