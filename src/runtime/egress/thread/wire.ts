import type { EgressAnswer, EgressRequest } from '../egress.ts'

/**
 * The messages between the two threads. They contain lists, because a message costs more than a request in a message.
 */

/** The options of the thread. */
export type ThreadOptions = {
  readonly userAgent: string
  /** As in `createGuard`. */
  readonly allowCidrs: readonly string[]
  /** URL of an HTTP proxy for public addresses. */
  readonly proxy?: string | null
  readonly proxyNames?: readonly string[]
  /** Certificates to trust besides the well-known ones, in PEM. */
  readonly authorities?: string | null
  /** The URL of a module whose `signatureHeaders` makes the headers of `EgressRequest.signing` and the body. */
  readonly signatureModule?: string
}

export type EgressJob = {
  readonly id: number
  /** In monotonic milliseconds, since the transfer between the threads is part of the request's time. */
  readonly queuedAtMs: number
  readonly request: Omit<EgressRequest, 'signal'>
  /** The number of the request's signal; null without one. */
  readonly group: number | null
}

export type ToThread =
  | { readonly kind: 'jobs'; readonly jobs: readonly EgressJob[] }
  | { readonly kind: 'interrupt'; readonly group: number }
  | { readonly kind: 'close' }

type Answered = Extract<EgressAnswer, { kind: 'answered' }>
/**
 * The body as text with one character per byte: a buffer takes three times as long to transfer, and a view copies the
 * whole buffer.
 */
export type SentAnswer =
  | Exclude<EgressAnswer, Answered>
  | (Omit<Answered, 'body'> & { readonly body: string })

export type Reply =
  | { readonly id: number; readonly kind: 'answer'; readonly answer: SentAnswer }
  /** An internal error, passed to the caller. */
  | { readonly id: number; readonly kind: 'error'; readonly error: unknown }

export type FromThread = readonly Reply[]

/** A clock shared by both threads, independent of the system's time. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** The answer in its form for the other thread, with the transfer time added. */
export function sendable(answer: EgressAnswer, waitedMs: number): SentAnswer {
  const totalMs = Math.round((answer.timings.totalMs + waitedMs) * 10) / 10
  const timings = { ...answer.timings, totalMs }
  return answer.kind === 'failed'
    ? { ...answer, timings }
    : { ...answer, timings, body: answer.body.toString('latin1') }
}

export function received(answer: SentAnswer): EgressAnswer {
  return answer.kind === 'failed' ? answer : { ...answer, body: Buffer.from(answer.body, 'latin1') }
}
