import type { EgressAnswer, EgressRequest } from '../../src/runtime/egress/egress.ts'
import type { Response } from './connection.ts'
import type { Random } from './random.ts'

/** The behaviour of a receiver. */
export type Behaviour =
  | { readonly kind: 'accept' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | null }
  /** The connection is refused. */
  | { readonly kind: 'refused' }
  /** The connection breaks before the request arrived. */
  | { readonly kind: 'reset_before' }
  /** The request arrives and is accepted, but the answer is lost. */
  | { readonly kind: 'reset_after' }
  /** The request arrives, but no answer follows. */
  | { readonly kind: 'hang' }
  /** Accepts slowly. */
  | { readonly kind: 'tarpit'; readonly ms: number }

/** Whether the receiver has read the request. */
export function arrives(behaviour: Behaviour): boolean {
  return behaviour.kind !== 'refused' && behaviour.kind !== 'reset_before'
}

/** Whether the sender gets a success response. */
export function accepts(behaviour: Behaviour): boolean {
  return (
    behaviour.kind === 'accept' ||
    behaviour.kind === 'tarpit' ||
    (behaviour.kind === 'status' && behaviour.status >= 200 && behaviour.status < 300)
  )
}

export function responseOf(behaviour: Behaviour, random: Random): Response {
  const afterMs = random.between(1, 60)
  switch (behaviour.kind) {
    case 'accept':
      return { kind: 'answer', afterMs, answer: answered(204, {}, afterMs) }
    case 'tarpit':
      return { kind: 'answer', afterMs: behaviour.ms, answer: answered(200, {}, behaviour.ms) }
    case 'status': {
      const { status, retryAfter } = behaviour
      const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter }
      return { kind: 'answer', afterMs, answer: answered(status, headers, afterMs) }
    }
    case 'refused':
      return { kind: 'failed', afterMs, reason: 'connect_refused' }
    case 'reset_before':
    case 'reset_after':
      return { kind: 'reset', afterMs }
    case 'hang':
      return { kind: 'hang' }
  }
}

/** The host's number and the hook's id of a target URL of this simulation. */
export function targetOf(request: EgressRequest): { readonly host: number; readonly hookId: string } {
  const { hostname, pathname } = new URL(request.url)
  return { host: Number(/^r(\d+)\./.exec(hostname)?.[1]), hookId: pathname.slice(1) }
}

export function targetUrl(host: number, hookId: string): string {
  return `https://r${host}.test/${hookId}`
}

function answered(status: number, headers: Record<string, string>, totalMs: number): EgressAnswer {
  return {
    kind: 'answered',
    status,
    headers,
    body: Buffer.from('ok'),
    truncated: false,
    remoteAddress: '192.0.2.2',
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: Math.floor(totalMs) },
  }
}
