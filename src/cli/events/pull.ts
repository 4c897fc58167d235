import type { Query } from '../../client/client.ts'
import type { EventList } from '../../contract/v1/events.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Io } from '../command.ts'
import type { RemoteService } from '../remote/service.ts'

/** The API's limits of a page and of a wait. */
const PAGE_MAX = 200
const WAIT_S = 30

const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 30_000

export type Pull = {
  /** Null: with `follow` from now on, else from the oldest stored event. */
  readonly after: string | null
  readonly follow: boolean
  readonly limit: number
  readonly filter: Query
  readonly signal: AbortSignal
}

/**
 * Pages of events, until there are no more, `limit` is reached or `signal` aborts. With `follow` it waits for more, and tries
 * again while the service is not reached. Throws `CommandFailed`.
 */
export async function* pullEvents(
  { client, failed, mayRecover }: RemoteService,
  io: Pick<Io, 'err'>,
  { after, follow, limit, filter, signal }: Pull,
): AsyncGenerator<EventList> {
  let cursor = after ?? (follow ? 'latest' : '0')
  let left = limit
  let isReached = true
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
      if (isReached) io.err(`${failed(error).message} Trying again.\n`)
      isReached = false
      await systemClock.sleep(retryMs, signal)
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2)
      continue
    }
    if (!isReached) io.err('The service answers again.\n')
    isReached = true
    retryMs = RETRY_MS_MIN
    cursor = page.next_cursor
    left -= page.data.length
    yield page
    if (!follow && page.data.length < PAGE_MAX) return
  }
}
