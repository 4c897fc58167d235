import type { EgressAnswer, EgressRequest } from '../egress.ts'

/** What the two threads tell each other. Lists, because a message costs more than what one request adds to it. */

/** What the thread is opened with. */
export type ThreadOptions = {
  readonly userAgent: string
  /** Those of `createGuard`. */
  readonly allowCidrs: readonly string[]
}

export type Order = {
  readonly id: number
  /** Milliseconds of the system's clock: how long it waited here counts as its time. */
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
/** Its bytes are a text, one character each: a buffer takes three times as long from thread to thread, and a view takes all of it along. */
export type SentAnswer =
  | Exclude<EgressAnswer, Answered>
  | (Omit<Answered, 'body'> & { readonly body: string })

export type Reply =
  | { readonly id: number; readonly kind: 'answer'; readonly answer: SentAnswer }
  /** An internal error: the caller gets it, as without a thread. */
  | { readonly id: number; readonly kind: 'mistake'; readonly error: unknown }

export type FromThread = readonly Reply[]

/** Instants that both threads read alike, and that no change of the system's time moves. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** With what it waited between the threads as part of its time. */
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
