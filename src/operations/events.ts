import type { Clock } from '../runtime/clock.ts'
import type { DeliveryStorage, EventFilter, EventPage } from '../storage/port/deliveries.ts'
import { OperationError } from './error.ts'

export type EventDeps = {
  readonly deliveries: Pick<DeliveryStorage, 'eventsAfter'>
  readonly clock: Clock
  /** Ends every wait, when the service stops. */
  readonly stopping: AbortSignal
}

/** Waiting calls of one account on one node. */
const WAITS_MAX = 20
const CHECK_INTERVAL_MS = 1_000
const RETRY_AFTER_S = 5

export function eventOperations({ deliveries, clock, stopping }: EventDeps) {
  const waiting = new Map<string, number>()

  const read = async (accountId: string, filter: EventFilter, page: { limit: number; after: number }) => {
    const found = await deliveries.eventsAfter(accountId, filter, page)
    if (found.end >= page.after) return found
    const problem =
      'is ahead of every event: the database was restored from a backup. Start without it and deduplicate by event_id.'
    throw new OperationError('conflict', problem, { field: 'after' })
  }

  return {
    /**
     * The next events of the account's hooks, oldest first. If there are none, it waits for the first one, up to `waitMs` or until `signal`
     * aborts. Throws `conflict` for a number above that of the newest event, and `rate_limited` when the account has `WAITS_MAX` waiting
     * calls.
     */
    async after(
      accountId: string,
      filter: EventFilter,
      page: { readonly limit: number; readonly after: number },
      { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
    ): Promise<EventPage> {
      let found = await read(accountId, filter, page)
      if (found.events.length > 0 || waitMs === 0) return found
      const others = waiting.get(accountId) ?? 0
      if (others >= WAITS_MAX) {
        throw new OperationError(
          'rate_limited',
          `An account may have at most ${WAITS_MAX} calls waiting for events.`,
          {
            retryAfterS: RETRY_AFTER_S,
          },
        )
      }
      waiting.set(accountId, others + 1)
      try {
        const ended = AbortSignal.any([signal, stopping])
        const endsAtMs = clock.monotonicMs() + waitMs
        while (found.events.length === 0 && !ended.aborted) {
          const leftMs = endsAtMs - clock.monotonicMs()
          if (leftMs <= 0) break
          await clock.sleep(Math.min(CHECK_INTERVAL_MS, leftMs), ended)
          found = await read(accountId, filter, { ...page, after: found.end })
        }
        return found
      } finally {
        const remaining = (waiting.get(accountId) ?? 1) - 1
        if (remaining === 0) waiting.delete(accountId)
        else waiting.set(accountId, remaining)
      }
    },

    /** The number of the newest event. Reading after it returns new events only. */
    newest: async (accountId: string): Promise<number> =>
      (await deliveries.eventsAfter(accountId, {}, { limit: 0, after: 0 })).end,
  }
}
