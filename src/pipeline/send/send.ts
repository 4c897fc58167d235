import type { Loop } from '../../runtime/loop.ts'
import { createTasks } from '../../runtime/tasks.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type ClaimedRequest, createClaimer } from './claimer.ts'
import { type DeliverDeps, type DeliverSettings, deliver } from './deliver.ts'
import { createInFlight } from './in-flight.ts'
import { createSettler, type Result } from './settler.ts'
import type { SlotAnswer, SlotLimits } from './slots.ts'

export type SendDeps = DeliverDeps & {
  readonly storage: Pick<Storage, 'deliveries'>
  readonly newLease: () => string
  /** Wakes the loop. */
  readonly wake: (name: string) => void
  /** Aborts requests under way: on the second stop signal, or at the end of the grace period. */
  readonly abortInFlight: AbortSignal
}

export type SendSettings = DeliverSettings & {
  readonly slots: SlotLimits
  readonly idleMs: number
}

export const SEND_LOOP = 'send'

/**
 * Claims deliveries, attempts them through the guarded egress, and commits the results in batches. After a stop it
 * claims nothing more and lets requests under way finish. A request that `abortInFlight` aborts is released and uses no
 * attempt.
 */
export function sendLoop(deps: SendDeps, settings: SendSettings): Loop {
  const { storage, clock, log, abortInFlight } = deps
  const inFlight = createInFlight()
  const claimer = createClaimer({ ...deps, inFlight }, settings.slots, settings.timeoutMs)
  const settler = createSettler({ ...deps, inFlight })
  const tasks = createTasks(settings.slots.total, () => {
    if (claimer.hasRoom()) deps.wake(SEND_LOOP)
  })

  const run = async (request: ClaimedRequest) => {
    const [delivery] = request.deliveries
    const startedMs = clock.monotonicMs()
    let answer: SlotAnswer | null = null
    let isInFlight = true
    const end = () => {
      if (isInFlight) inFlight.end(request.deliveries)
      isInFlight = false
    }
    try {
      const delivered = await deliver(deps, settings, request, abortInFlight)
      if (delivered.kind === 'settle') {
        // The settler ends it.
        isInFlight = false
        answer = slotAnswerOf(delivered.results, startedMs, clock.monotonicMs())
        for (const result of delivered.results) settler.add(result)
      }
      if (delivered.kind === 'release') {
        // Before the commit, since afterwards a claim may take them at once.
        end()
        await storage.deliveries.release(request.deliveries)
      }
    } catch (error) {
      // Storage is unavailable, or an internal error occurred: the delivery is retried after its lease.
      log.error('delivery.failed', { event_id: delivery.eventId, hook_id: delivery.hookId, error })
    } finally {
      end()
      claimer.done(request, answer)
    }
  }
  return {
    name: SEND_LOOP,
    // The burst of a rate limit lasts a fifth of a second: one claim per second would use a fifth of the rate.
    get idleMs() {
      return Math.min(settings.idleMs, claimer.nextLaneMs() ?? settings.idleMs)
    },
    async pass() {
      const claimed = await claimer.claim()
      for (const request of claimed) tasks.run(() => run(request))
      return claimed.length > 0 ? 'worked' : 'idle'
    },
    async finish() {
      await tasks.ended()
      await settler.flush(abortInFlight)
    },
  }
}

/** Failures that a receiver with too many requests causes: it or its proxy gives no answer. */
const OVERLOADS: ReadonlySet<string> = new Set([
  'timeout_connect',
  'timeout_headers',
  'timeout_total',
  'connect_refused',
  'connect_failed',
  'reset',
])
/** Too many requests, and the answers of a server without capacity or of the proxy before it. */
const OVERLOAD_STATUSES: ReadonlySet<number | null> = new Set([429, 502, 503, 504])

/** Other failures, such as a 404, say nothing about the number of requests. */
function slotAnswerOf(results: readonly Result[], startedMs: number, endedMs: number): SlotAnswer | null {
  const outcome = results[0]?.result.outcome
  if (outcome?.kind === 'accepted') return { kind: 'accepted', startedMs, endedMs }
  const isOverload =
    outcome?.kind === 'failed' && (OVERLOADS.has(outcome.reason) || OVERLOAD_STATUSES.has(outcome.httpStatus))
  return isOverload ? { kind: 'overloaded', startedMs, endedMs } : null
}
