import type { Egress, EgressAnswer, EgressFailure, EgressRequest } from '../../src/runtime/egress/egress.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** The response over a simulated connection. */
export type Response =
  | { readonly kind: 'answer'; readonly afterMs: number; readonly answer: EgressAnswer }
  | { readonly kind: 'reset'; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly afterMs: number; readonly reason: EgressFailure }
  /** No response until the request's timeout. */
  | { readonly kind: 'hang' }

export type Connection = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly isAlive: () => boolean
  /** Called when the request arrives. */
  readonly respond: (request: EgressRequest) => Response
}

/** The longest time until a request arrives. */
const TRAVEL_MS_MAX = 30

/**
 * Sends simulated requests with the guarantees of `Egress`: one deadline, failures as values, and `interrupted` after a signal. Requests of
 * a process that died meanwhile still arrive.
 */
export function connect({ scheduler, random, isAlive, respond }: Connection): Egress {
  return {
    request: (request) =>
      new Promise((resolve) => {
        if (!isAlive()) return
        const startedAtMs = scheduler.nowMs()
        let over = false
        const end = (answer: EgressAnswer) => {
          if (over) return
          over = true
          deadline.cancel()
          request.signal?.removeEventListener('abort', interrupt)
          if (isAlive()) resolve(answer)
        }
        const fail = (reason: EgressFailure) => end(failed(reason, scheduler.nowMs() - startedAtMs))
        const interrupt = () => fail('interrupted')
        const deadline = scheduler.after(request.timeoutMs, () => fail('timeout_total'))
        request.signal?.addEventListener('abort', interrupt, { once: true })
        if (request.signal?.aborted) return interrupt()
        scheduler.after(random.between(1, TRAVEL_MS_MAX), () => {
          if (over) return
          const response = respond(request)
          if (response.kind === 'hang') return
          scheduler.after(response.afterMs, () => {
            if (response.kind === 'answer') end(response.answer)
            else fail(response.kind === 'reset' ? 'reset' : response.reason)
          })
        })
      }),
    [Symbol.asyncDispose]: async () => {},
  }
}

function failed(reason: EgressFailure, totalMs: number): EgressAnswer {
  return {
    kind: 'failed',
    reason,
    detail: `A simulated failure (${reason}).`,
    status: null,
    remoteAddress: null,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: Math.floor(totalMs) },
  }
}
