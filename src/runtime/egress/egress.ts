/**
 * Every request to a store, a target or a model server goes through here. One deadline covers connecting, headers and
 * body; the body is bounded; redirects are answers, never followed. Failures of the outside world are values, so `request`
 * rejects only for a bug.
 */

/** Reasons for having no usable answer. */
export const EGRESS_FAILURES = [
  'timeout_connect',
  'timeout_headers',
  'timeout_total',
  'dns',
  'connect_refused',
  'connect_failed',
  'reset',
  'tls',
  'headers_too_large',
  'invalid_response',
  'blocked_address',
  'invalid_request',
  'interrupted',
] as const
export type EgressFailure = (typeof EGRESS_FAILURES)[number]

export type EgressRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** One deadline over connecting, headers and body. */
  readonly timeoutMs: number
  /** Bytes of body to keep; the rest is not read, and the answer says `truncated`. */
  readonly bodyBytesMax: number
  /** Ask for gzip and inflate it, `bodyBytesMax` then bounds the inflated bytes. For stores, never for targets. */
  readonly gunzip?: boolean
  /** Ends the request with `interrupted`. */
  readonly signal?: AbortSignal
}

/** Milliseconds of each phase; null for a phase that did not happen (a reused connection has only the last two). */
export type EgressTimings = {
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
  readonly totalMs: number
}

export type EgressAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Lowercase names; repeated headers joined with `, `. */
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer
      readonly truncated: boolean
      readonly remoteAddress: string | null
      readonly timings: EgressTimings
      /** A kept-alive connection closed before the first byte of the answer, and the request was repeated on a new one. */
      readonly reconnected?: boolean
    }
  | {
      readonly kind: 'failed'
      readonly reason: EgressFailure
      /** A sentence for the operator. Of a blocked address it says only that it is blocked. */
      readonly detail: string
      readonly remoteAddress: string | null
      readonly timings: EgressTimings
      /** The status, when headers came but the body was incomplete. */
      readonly status: number | null
      readonly reconnected?: boolean
    }

export type Egress = AsyncDisposable & {
  readonly request: (request: EgressRequest) => Promise<EgressAnswer>
}
