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

export type Reply =
  | { readonly id: number; readonly kind: 'answer'; readonly answer: EgressAnswer }
  /** A mistake of ours: whoever asked gets it, as without a thread. */
  | { readonly id: number; readonly kind: 'mistake'; readonly error: unknown }

export type FromThread = readonly Reply[]

/** Instants that both threads read alike, and that no change of the system's time moves. */
export function sharedNowMs(): number {
  return performance.timeOrigin + performance.now()
}

/** A view of a larger buffer is copied: passing it on would take the whole buffer along. */
export function sendable(answer: EgressAnswer): EgressAnswer {
  if (answer.kind === 'failed' || answer.body.length === answer.body.buffer.byteLength) return answer
  return { ...answer, body: Buffer.from(Uint8Array.from(answer.body).buffer) }
}

/** The other side gets bytes as a plain array of them. */
export function received(answer: EgressAnswer): EgressAnswer {
  if (answer.kind === 'failed') return answer
  const { buffer, byteOffset, byteLength } = answer.body
  return { ...answer, body: Buffer.from(buffer, byteOffset, byteLength) }
}

/** The same answer, with what it waited between the threads as part of its time. */
export function waited(answer: EgressAnswer, waitedMs: number): EgressAnswer {
  const totalMs = Math.round((answer.timings.totalMs + waitedMs) * 10) / 10
  return { ...answer, timings: { ...answer.timings, totalMs } }
}
