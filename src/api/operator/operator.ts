import type { Readiness } from '../../contract/readiness.ts'
import type { RouteGroup } from '../add-routes.ts'
import { type Route, route } from '../route.ts'

export type OperatorDeps = {
  readonly readiness: () => Promise<Readiness>
  /** The metrics in the format of Prometheus. */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
}

/** These routes need no token, because health checks and Prometheus send none. */
export const operatorGroup: RouteGroup = { prefix: '', authenticate: async () => null }

/** Liveness, readiness and metrics. They show counts and states, never an account's data. A proxy should not publish them. */
export function operatorRoutes(deps: OperatorDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      access: 'anyone',
      run: async () => ({ status: 'ok' }),
    }),

    route({
      method: 'GET',
      path: '/readyz',
      access: 'anyone',
      async run({ reply }) {
        const { ready, reasons, warnings } = await deps.readiness()
        reply.code(ready ? 200 : 503)
        return { status: ready ? 'ready' : 'not ready', reasons, warnings }
      },
    }),

    route({
      method: 'GET',
      path: '/metrics',
      access: 'anyone',
      async run({ reply }) {
        const { contentType, text } = await deps.metrics()
        return reply.type(contentType).send(text)
      },
    }),
  ]
}
