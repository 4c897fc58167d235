import type { Lane, LaneChange } from '../../storage/port/deliveries.ts'
import { afterHalfOpening } from './breaker.ts'
import type { AttemptResult } from './health.ts'
import { healthFrom, healthText } from './health.ts'
import { laneChange } from './settler.ts'

const ACCEPTED: AttemptResult = {
  outcome: { kind: 'accepted', httpStatus: 200 },
  after: { kind: 'settle', next: { status: 'delivered' }, hookGone: false },
}

/** Changes of a lane by hand. Neither ends a pause: that is the lane's state, not its breaker. Pure. */
export const BY_HAND = {
  /** After a retry by hand: an open breaker lets its probe through now. */
  halfOpen: (lane: Lane, now: Date): LaneChange => {
    const before = healthFrom(lane.health)
    const breaker = afterHalfOpening(before.breaker, now)
    const isChanged = breaker !== before.breaker
    return {
      health: isChanged ? healthText({ ...before, breaker }) : null,
      notBefore: isChanged ? now : null,
      notices: [],
      gone: false,
    }
  },
  /** After a test event that the target accepted: as after any success. */
  accepted: (lane: Lane, now: Date): LaneChange => laneChange(lane, [ACCEPTED], now),
}
