import { RadarError } from './radar-error.ts'
import { backoffMs, type CallOptions, type Retry, sleep } from './transport.ts'
import type { EventList, EventQuery, WebhookEvent } from './types.ts'

export type EventStreamOptions = Omit<EventQuery, 'after' | 'wait' | 'limit'> &
  CallOptions & {
    /** A stored cursor, or `latest` for new events only. Default: all stored events. */
    readonly after?: string
    /** Whether to wait for new events after the last stored one. Default: true. */
    readonly follow?: boolean
    /** Events per request, 1 to 200. */
    readonly limit?: number
    /**
     * Called with the cursor to resume from, once the loop has handled all events before it. Store the cursor here. The
     * stream waits for the result.
     */
    readonly onCursor?: (cursor: string) => unknown
    /** Called before each retry. */
    readonly onRetry?: (retry: Retry) => void
  }

/** Events, oldest first. It ends when its signal aborts. */
export type EventStream = AsyncIterable<WebhookEvent> & {
  /** The cursor to resume from, after all handled events. Null before the first response. */
  readonly cursor: string | null
}

/** The maximum of the API. */
const WAIT_S = 30

/** Retried without limit: failures of the network or the database, and restarts. */
const TRANSIENT_CODES: readonly RadarError['code'][] = [
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

  /** The next page, retried during outages. */
  async function read(from: string | undefined): Promise<EventList> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await list({ ...filter, after: from, limit, wait: follow ? WAIT_S : 0 }, { signal })
      } catch (error) {
        if (!follow || !(error instanceof RadarError) || !TRANSIENT_CODES.includes(error.code)) throw error
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
