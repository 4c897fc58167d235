import type { FastifyInstance } from 'fastify'

export type Readiness = {
  readonly ready: boolean
  /** A sentence for each thing that is not well; empty when ready. */
  readonly reasons: readonly string[]
  /** What an operator should look at although the node does its work. */
  readonly warnings: readonly string[]
}

export type OperatorDeps = {
  readonly readiness: () => Promise<Readiness>
  /** What Prometheus reads. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/**
 * What the operator's machinery asks: is the process up, may it get traffic, how is it doing. No token, as such
 * machinery expects; they tell numbers and states, never whose. Keep them off the public side of a proxy.
 */
export function operatorPages(server: FastifyInstance, deps: OperatorDeps): void {
  server.get('/healthz', async () => ({ status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    const { ready, reasons, warnings } = await deps.readiness()
    reply.code(ready ? 200 : 503)
    return { status: ready ? 'ready' : 'not ready', reasons, warnings }
  })

  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await deps.metrics()
    return reply.type(contentType).send(text)
  })
}
