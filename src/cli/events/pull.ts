import type { Query } from '../../client/client.ts'
import type { EventList } from '../../contract/v1/events.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Io } from '../command.ts'
import type { RemoteService } from '../remote/service.ts'

/** The limits of the API for a page and for a wait. */
const PAGE_MAX = 200
const WAIT_S = 30

const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 30_000

export type Pull = {
  /** Null: from now on with `follow`, otherwise from the oldest stored event. */
  readonly after: string | null
  readonly follow: boolean
  readonly limit: number
  readonly filter: Query
  readonly signal: AbortSignal
}

/**
 * Yields pages of events until there are no more, `limit` is reached or `signal` aborts. With `follow` it waits for
 * more events, and retries while the service is unreachable. Throws `CommandFailed`.
 */
export async function* pullEvents(
  { client, failed, mayRecover }: RemoteService,
  io: Pick<Io, 'err'>,
  { after, follow, limit, filter, signal }: Pull,
): AsyncGenerator<EventList> {
  let cursor = after ?? (follow ? 'latest' : '0')
  let left = limit
  let isReachable = true
  let retryMs = RETRY_MS_MIN
  while (left > 0 && !signal.aborted) {
    const query = {
      ...filter,
      after: cursor,
      limit: String(Math.min(PAGE_MAX, left)),
      wait: follow ? String(WAIT_S) : undefined,
    }
    let page: EventList
    try {
      page = await client.listEvents(query, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!follow || !mayRecover(error)) throw failed(error)
      if (isReachable) io.err(`${failed(error).message} Retrying.\n`)
      isReachable = false
      await systemClock.sleep(retryMs, signal)
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
      continue
    }
    if (!isReachable) io.err('The service responds again.\n')
    isReachable = true
    retryMs = RETRY_MS_MIN
    cursor = page.next_cursor
    left -= page.data.length
    yield page
    if (!follow && page.data.length < PAGE_MAX) return
  }
}
