import type { Instant } from '../../runtime/instant.ts'
import type { Lane, LaneChange } from '../../storage/port/deliveries.ts'
import { afterHalfOpening } from './breaker.ts'
import type { AttemptResult } from './health.ts'
import { healthFrom, healthText } from './health.ts'
import { laneChange } from './settler.ts'

const ACCEPTED: AttemptResult = {
  outcome: { kind: 'accepted', httpStatus: 200 },
  after: { kind: 'settle', next: { status: 'delivered' }, hookGone: false },
}

/** Manual changes of a lane. Neither resumes a paused hook: the pause is not part of the breaker. Pure. */
export const MANUAL_LANE_CHANGES = {
  /** After a manual retry: an open breaker becomes half-open, and the next message does not wait for its schedule. */
  halfOpen: (lane: Lane, now: Instant): LaneChange => {
    const before = healthFrom(lane.health)
    const breaker = afterHalfOpening(before.breaker, now)
    const isScheduled = lane.messageSchedule !== null
    const isChanged = breaker !== before.breaker || isScheduled
    return {
      health: isChanged ? healthText({ ...before, breaker, skipsSchedule: isScheduled }) : null,
      notBefore: isChanged ? now : null,
      notices: [],
      gone: false,
    }
  },
  /** After an accepted test event: like any success. */
  accepted: (lane: Lane, now: Instant): LaneChange => laneChange(lane, [ACCEPTED], now),
}
