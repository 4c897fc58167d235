import { POLL_AHEAD_MS_MAX } from '../storage/port/feeds.ts'
import type { Horizons } from '../storage/port/time.ts'
import { STORE_RETRY_AFTER_MS_MAX } from './appstores/appstore.ts'
import { INTERVAL_MS_MAX } from './collect/poll-plan.ts'
import type { PollSettings } from './collect/schedule.ts'
import { ENRICH_WAIT_MS } from './enrich/enrich.ts'
import { JITTER_MAX, RETRY_AFTER_MS_MAX } from './send/after-attempt.ts'
import { OPEN_MS_MAX } from './send/breaker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * How far ahead each rule sets an instant at most, with slack for jitter and clock differences between nodes. An
 * instant beyond that was written under a wrong clock.
 */
export function horizonsOf(settings: {
  readonly poll: Readonly<Record<string, PollSettings>>
  readonly waitsMs: readonly number[]
}): Horizons {
  const intervals = Object.values(settings.poll).map((each) => each.fixedIntervalMs ?? INTERVAL_MS_MAX)
  return {
    pollMs: POLL_AHEAD_MS_MAX + 2 * Math.max(...intervals),
    readyMs: ENRICH_WAIT_MS + HOUR_MS,
    enrichLeaseMs: HOUR_MS,
    deliveryMs:
      Math.max(RETRY_AFTER_MS_MAX, OPEN_MS_MAX, ...settings.waitsMs) * (1 + JITTER_MAX) + 2 * HOUR_MS,
    replayMs: HOUR_MS,
    storeBlockMs: STORE_RETRY_AFTER_MS_MAX + 2 * HOUR_MS,
    // The longest interval that can be set is a day.
    officialMs: 2 * DAY_MS,
  }
}
