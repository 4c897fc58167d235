import type { EventType, Store, WebhookEvent } from '../events.ts'

export type EventFilter = {
  /** Events of this hook alone. */
  readonly hook_id?: string
  readonly event_type?: EventType
  readonly store?: Store
  readonly app_id?: string
}

export type EventQuery = EventFilter & {
  /** `next_cursor` of the answer before, or `latest`; absent for the oldest stored event. */
  readonly after?: string
  /** Seconds to wait for an event when there is none, 0 to 30; 0 by default. */
  readonly wait?: number
  /** Events of an answer, 1 to 200; 50 by default. */
  readonly limit?: number
}

export type EventList = {
  readonly data: readonly WebhookEvent[]
  /** Pass it as `after` to get what comes next. */
  readonly next_cursor: string
}
