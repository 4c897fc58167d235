/**
 * Every request to a store, a target or a model server goes through the egress. One timeout covers connecting, headers
 * and body. The body is bounded, and redirects are not followed. External failures are values, so `request` rejects
 * only for a bug.
 */

/** Reasons why there is no usable answer. */
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

/** The answer violates HTTP. Its status line counts if it has one. */
const VIOLATIONS: readonly string[] = ['headers_too_large', 'invalid_response'] satisfies EgressFailure[]

export function violatesHttp(reason: string): boolean {
  return VIOLATIONS.includes(reason)
}

export type EgressRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** One timeout for connecting, headers and body. */
  readonly timeoutMs: number
  /** The most bytes of the body to read. A longer body is `truncated`. */
  readonly bodyBytesMax: number
  /** Requests gzip and inflates it; `bodyBytesMax` then limits the inflated bytes. Only for stores. */
  readonly gunzip?: boolean
  /** Aborts the request with `interrupted`. */
  readonly signal?: AbortSignal
  /** Only for an egress that `signs`: what its signatures need besides the body. */
  readonly signing?: Readonly<Record<string, unknown>>
}

/** Milliseconds of each phase; null for a phase that did not happen. A reused connection has only the last two. */
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
      /**
       * A keep-alive connection closed before the first byte of the answer, and the request was repeated on a new one.
       */
      readonly reconnected?: boolean
    }
  | {
      readonly kind: 'failed'
      readonly reason: EgressFailure
      /** A sentence for the operator, without details for a blocked address. */
      readonly detail: string
      readonly remoteAddress: string | null
      readonly timings: EgressTimings
      /** The status, when headers came but the body was incomplete, or when an answer that violates HTTP states one. */
      readonly status: number | null
      readonly reconnected?: boolean
    }

export type Egress = AsyncDisposable & {
  readonly request: (request: EgressRequest) => Promise<EgressAnswer>
  /** It adds the headers of signatures itself, in its thread. Absent: the caller signs. */
  readonly signs?: boolean
}
