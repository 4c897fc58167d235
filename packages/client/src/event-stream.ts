import type { WebhookEvent } from './events.ts'
import { RadarError } from './radar-error.ts'
import { backoffMs, type CallOptions, type Retry, sleep } from './transport.ts'
import type { EventFilter, EventList, EventQuery } from './types/events.ts'

export type EventStreamOptions = EventFilter &
  CallOptions & {
    /** A cursor that was stored, or `latest` for what happens from now on; absent for everything stored. */
    readonly after?: string
    /** True by default: waits for new events. False: ends after the last stored one. */
    readonly follow?: boolean
    /** Events of one request, 1 to 200. */
    readonly limit?: number
    /**
     * Called with the cursor to go on from, after the events before it were handled: when the loop asks for the next
     * one. Store it here. The stream waits for the result.
     */
    readonly onCursor?: (cursor: string) => unknown
    /** Called before each wait while the service does not answer. */
    readonly onRetry?: (retry: Retry) => void
  }

/** Events, oldest first. It ends when its signal aborts. */
export type EventStream = AsyncIterable<WebhookEvent> & {
  /** Where to go on from: the events before it were handled. Null before the first answer. */
  readonly cursor: string | null
}

/** The longest that the service waits. */
const WAIT_S = 30

/** Problems that end by themselves: of the network, of a restart, of the database. */
const TEMPORARY: readonly RadarError['code'][] = [
  'unreachable',
  'timed_out',
  'unavailable',
  'internal',
  'rate_limited',
]

export function eventStream(
  list: (query: EventQuery, call: CallOptions) => Promise<EventList>,
  options: EventStreamOptions,
): EventStream {
  const { after, follow = true, signal, limit, onCursor, onRetry, ...filter } = options
  let cursor = after === 'latest' ? null : (after ?? null)

  /** The next events, also after the service was away. */
  async function read(from: string | undefined): Promise<EventList> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await list({ ...filter, after: from, limit, wait: follow ? WAIT_S : 0 }, { signal })
      } catch (error) {
        if (!follow || !(error instanceof RadarError) || !TEMPORARY.includes(error.code)) throw error
        const waitMs = error.retryAfterMs ?? backoffMs(failures)
        onRetry?.({ error, waitMs })
        await sleep(waitMs, signal)
      }
    }
  }

  async function* events(): AsyncGenerator<WebhookEvent> {
    let from = after
    while (!signal?.aborted) {
      const page = await read(from)
      for (const event of page.data) {
        yield event
        if (signal?.aborted) return
      }
      if (page.next_cursor !== cursor) {
        cursor = page.next_cursor
        await onCursor?.(cursor)
      }
      if (!follow && page.data.length === 0) return
      from = page.next_cursor
    }
  }

  return {
    get cursor() {
      return cursor
    },
    async *[Symbol.asyncIterator]() {
      try {
        yield* events()
      } catch (error) {
        if (!signal?.aborted || error !== signal.reason) throw error
      }
    },
  }
}
