import type { EventType, Store, WebhookEvent } from '../events.ts'
import type { PageQuery, Period } from './pages.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'dead'

/** The reason of a failed attempt. */
export type FailureReason =
  | 'http_status'
  | 'redirect'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_total'
  | 'dns'
  | 'connect_refused'
  | 'connect_failed'
  | 'reset'
  | 'tls'
  | 'headers_too_large'
  | 'invalid_response'
  | 'blocked_address'
  | 'invalid_request'
  | 'interrupted'
  | 'internal_error'
  | 'mail_failed'
  | 'no_mail_server'
  | TargetFailureReason

/** The reason that a delivery is no longer attempted. */
export type DeadReason =
  | 'attempts_exhausted'
  | 'expired'
  | 'blocked_address'
  | 'invalid_request'
  | 'gone'
  | TargetFailureReason

/** Why a chat service or a mail server will never accept the message of an event. */
export type TargetFailureReason = 'channel_gone' | 'access_revoked' | 'posting_forbidden' | 'message_rejected'

export type Delivery = {
  readonly event_id: string
  readonly occurrence_id: string
  readonly event_type: EventType
  readonly store: Store
  readonly app_id: string
  readonly hook_id: string
  readonly target_url: string
  /** `held`: pending for a paused hook. */
  readonly status: DeliveryStatus | 'held'
  /** Attempts on the current retry schedule. */
  readonly attempts: number
  readonly created_at: string
  /** Time of the next attempt; null unless pending or held. */
  readonly due_at: string | null
  readonly delivered_at: string | null
  readonly dead_at: string | null
  readonly dead_reason: DeadReason | null
  readonly last_http_status: number | null
  readonly last_reason: FailureReason | null
}

type AttemptFields = {
  /** The target answered 200 to 299. */
  readonly accepted: boolean
  readonly reason: FailureReason | null
  readonly detail: string | null
  readonly started_at: string
  readonly url: string
  /** Signatures are masked. */
  readonly request_headers: Readonly<Record<string, string>>
  readonly http_status: number | null
  /** Untrusted: escape it before you show it. */
  readonly response_headers: Readonly<Record<string, string>>
  /** The first 16 KiB. Untrusted: escape it before you show it. */
  readonly response_body: string
  readonly response_truncated: boolean
  /** What a formatted destination was sent, without secrets; null for a webhook. */
  readonly message: string | null
  /** Milliseconds per phase; null for a skipped phase. */
  readonly timings_ms: {
    readonly dns: number | null
    readonly connect: number | null
    readonly tls: number | null
    readonly first_byte: number | null
    readonly total: number
  }
}

/** The attempt of a test event. */
export type Attempt = AttemptFields & {
  readonly event_id: string
  /** The exact bytes that were signed and sent. */
  readonly request_body: string
}

export type DeliveryDetail = Delivery & {
  /** The body that every attempt sends. */
  readonly body: string
  /** Attempts so far, oldest first. */
  readonly history: readonly (AttemptFields & { readonly number: number })[]
}

export type DeadLetterFilter = Period & {
  readonly hook_id?: string
  readonly store?: Store
  readonly app_id?: string
  readonly event_type?: EventType
  /** Reason of the last failure or of the dead letter. */
  readonly reason?: FailureReason | DeadReason
  /** Last HTTP status of the target. */
  readonly http_status?: number
}

export type DeliveryQuery = DeadLetterFilter & PageQuery & { readonly status?: DeliveryStatus | 'held' }
export type DeadLetterQuery = DeadLetterFilter & PageQuery

/** A dead letter with its event. */
export type DeadLetterRecord = {
  readonly event_id: string
  readonly hook_id: string
  readonly account_id: string
  readonly target_url: string
  readonly event_type: EventType
  readonly store: Store
  readonly app_id: string
  readonly created_at: string
  readonly dead_at: string | null
  readonly reason: DeadReason | null
  readonly attempts: number
  readonly last_http_status: number | null
  readonly last_reason: FailureReason | null
  readonly payload: WebhookEvent
}

export type Replayed = {
  readonly replayed: number
  /** IDs that are not dead letters of the account, or whose hook is gone or deleted. */
  readonly skipped: number
}

export type Discarded = {
  readonly discarded: number
  /** IDs that are not dead letters of the account. */
  readonly skipped: number
}

/** A bulk replay. */
export type Replay = {
  readonly id: string
  readonly status: 'running' | 'paused' | 'cancelled' | 'done'
  /** Dead letters that matched when the replay started. */
  readonly total: number
  readonly queued: number
  readonly delivered: number
  readonly dead_again: number
  readonly rate_per_second: number
  readonly created_at: string
  readonly finished_at: string | null
}

export type ReplayBody = {
  /** An empty filter matches all dead letters. */
  readonly filter?: DeadLetterFilter
  /** 0.1 to 1000; 10 by default. */
  readonly rate_per_second?: number
}

export type ReplayChange = { readonly status: 'running' | 'paused' | 'cancelled' }
