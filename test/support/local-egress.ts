import { createServer, type RequestListener } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Egress, EgressRequest } from '../../src/runtime/egress/egress.ts'
import { createGuard } from '../../src/runtime/egress/guard.ts'
import { type EgressOptions, openEgress } from '../../src/runtime/egress/open.ts'
import { listen } from './listen.ts'

/** Allows 127.0.0.0/8 and no other special address. */
export const LOCAL = createGuard({ allowCidrs: ['127.0.0.0/8'] })

/** A server on 127.0.0.1 that counts its connections. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on('connection', () => connections++)
  const listening = await listen(server)
  return {
    port: listening.port,
    url: `${listening.url}/hook`,
    connections: () => connections,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

export function openLocal(options: Partial<EgressOptions> = {}): Egress {
  return openEgress({ guard: LOCAL, userAgent: 'Test/1', ...options })
}

/** A request with default values and changes. */
export function requestTo(url: string, change: Partial<EgressRequest> = {}): EgressRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs: 60_000,
    bodyBytesMax: 1_000,
    ...change,
  }
}

/** Sends a request and waits until its connection is free, one event loop iteration after the response. */
export async function send(egress: Egress, url: string, change: Partial<EgressRequest> = {}) {
  const answer = await egress.request(requestTo(url, change))
  await setImmediate()
  return answer
}
