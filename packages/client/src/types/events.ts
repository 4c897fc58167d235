import type { EventType, Store, WebhookEvent } from '../events.ts'

export type EventFilter = {
  /** Only events of this hook. */
  readonly hook_id?: string
  readonly event_type?: EventType
  readonly store?: Store
  readonly app_id?: string
}

export type EventQuery = EventFilter & {
  /** `next_cursor` of the previous page, or `latest`. Default: from the oldest stored event. */
  readonly after?: string
  /** Seconds to wait if there is no event, 0 to 30; 0 by default. */
  readonly wait?: number
  /** Events per page, 1 to 200; 50 by default. */
  readonly limit?: number
}

export type EventList = {
  readonly data: readonly WebhookEvent[]
  /** Pass it as `after` to get the next page. */
  readonly next_cursor: string
}
