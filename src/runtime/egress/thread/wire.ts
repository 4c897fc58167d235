import type { EgressAnswer, EgressRequest } from '../egress.ts'

/**
 * The messages between the two threads. Lists, because one more message costs more than one more request in a message.
 */

/** The options of the thread. */
export type ThreadOptions = {
  readonly userAgent: string
  /** Those of `createGuard`. */
  readonly allowCidrs: readonly string[]
}

export type Order = {
  readonly id: number
  /** Monotonic milliseconds: the wait between the threads counts as part of the request's time. */
  readonly orderedAtMs: number
  readonly request: Omit<EgressRequest, 'signal'>
  /** Requests that one signal ends have the same number; null without a signal. */
  readonly group: number | null
}

export type ToThread =
  | { readonly kind: 'orders'; readonly orders: readonly Order[] }
  | { readonly kind: 'interrupt'; readonly group: number }
  | { readonly kind: 'close' }

type Answered = Extract<EgressAnswer, { kind: 'answered' }>
/** The body as text, one character a byte: a buffer takes three times as long between threads, and a view copies all of it. */
export type SentAnswer =
  | Exclude<EgressAnswer, Answered>
  | (Omit<Answered, 'body'> & { readonly body: string })

export type Reply =
  | { readonly id: number; readonly kind: 'answer'; readonly answer: SentAnswer }
  /** An internal error, passed to the caller. */
  | { readonly id: number; readonly kind: 'mistake'; readonly error: unknown }

export type FromThread = readonly Reply[]

/** A clock shared by both threads, independent of the system's time. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** The answer with the wait between the threads added to its time. */
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
