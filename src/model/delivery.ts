import type { DeadReason, DeliveryStatus, EventType, FailureReason, Store } from './vocabulary.ts'

/** The sending of one event. It is `pending` also while its hook is paused (then it is held) and during its lease. */
export type Delivery = {
  readonly seq: number
  readonly eventId: string
  readonly occurrenceId: string
  readonly accountId: string
  readonly hookId: string
  readonly eventType: EventType
  readonly store: Store
  readonly appId: string
  readonly status: DeliveryStatus
  /** Number of requests in the current schedule; a replay resets it to 0. */
  readonly attempts: number
  readonly createdAt: Date
  /** When the next attempt is due; null unless pending. */
  readonly dueAt: Date | null
  readonly deliveredAt: Date | null
  /** The time and reason of its last dead letter; kept when a replay queues it again. */
  readonly deadAt: Date | null
  readonly deadReason: DeadReason | null
  readonly lastHttpStatus: number | null
  readonly lastReason: FailureReason | null
  /** When a dead letter was discarded, or delivered by a replay. */
  readonly resolvedAt: Date | null
}

/** Milliseconds of each phase; null for a phase that did not happen (a reused connection has no dns, connect or tls). */
export type AttemptTimings = {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
  readonly totalMs: number
}

/** The record of one request of a delivery. */
export type Attempt = {
  readonly number: number
  readonly startedAt: Date
  readonly timings: AttemptTimings
  readonly url: string
  /** The headers, with masked signatures. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly httpStatus: number | null
  /** Null when the attempt was accepted. */
  readonly reason: FailureReason | null
  readonly detail: string | null
  readonly remoteAddress: string | null
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 16 KiB of the body, without NUL; untrusted text. */
  readonly responseBody: string
  readonly responseTruncated: boolean
  /** The message of a formatted destination, masked and cut; absent for a webhook, and in attempts of older versions. */
  readonly message?: string
  /** The bulk replay of this attempt, if any. */
  readonly replayId: string | null
}
