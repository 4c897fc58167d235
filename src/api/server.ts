import Fastify, { type FastifyInstance } from 'fastify'
import { BODY_BYTES_MAX, type Route, routesFor } from '../contract/routes.ts'
import type { AccountGuard } from '../operations/limits.ts'
import type { AddressGuard } from '../runtime/egress/guard.ts'
import { checkTargetUrl } from '../runtime/egress/target-url.ts'
import type { Log } from '../runtime/log.ts'
import { addOperations } from './add-operations.ts'
import type { AuthDeps } from './auth.ts'
import { answerBrokenRequest, guardPaths } from './guard-paths.ts'
import type { Operations } from './operation.ts'
import { appOperations } from './routes/apps.ts'
import { type HookTestDeps, hookTestOperation } from './routes/hook-test.ts'
import { type HookDeps, hookOperations } from './routes/hooks.ts'
import { meOperation } from './routes/me.ts'
import { type OperatorDeps, operatorPages } from './routes/operator.ts'
import { referencePages } from './routes/reference.ts'
import { sampleOperation } from './routes/sample.ts'

export type ServerDeps = AuthDeps &
  HookDeps &
  HookTestDeps &
  OperatorDeps &
  Parameters<typeof appOperations>[0] &
  Parameters<typeof meOperation>[0] & {
    readonly log: Log
    readonly limits: AccountGuard
    /** Which addresses targets may have. */
    readonly guard: AddressGuard
    /** The provenances that subscribe takes. */
    readonly sources: readonly string[]
    readonly version: string
    /** Addresses and CIDR blocks whose forwarding headers are believed. */
    readonly trustedProxies: readonly string[]
    /** Asked late: with port 0 it is known only once the server listens. */
    readonly publicUrl: () => string
    /** More to serve beside the API, e.g. the console. */
    readonly mount?: (server: FastifyInstance) => Promise<void>
  }

/** How long a whole request may take to arrive; chosen: 64 KiB over the slowest line one would still serve. */
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than any id we make; what is longer is nobody's. */
const PARAM_CHARS_MAX = 500

/** The HTTP edge, not yet listening. Every failure, Fastify's own included, is answered with `{"error": …}`. */
export async function createApiServer(deps: ServerDeps): Promise<FastifyInstance> {
  const routes = routesFor(deps.sources, (url) => targetRefusal(url, deps.guard))
  const operations: Operations = {
    ...hookOperations(deps),
    ...hookTestOperation(deps),
    ...appOperations(deps),
    ...sampleOperation(),
    ...meOperation(deps),
  }
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    // While closing, requests under way are answered as ever: Fastify's own 503 has another body.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => `req-${crypto.randomUUID()}`,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    frameworkErrors: (error, request, reply) => guard.refuse(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
  })
  const guard = guardPaths(server, deps)
  addOperations(server, routes satisfies Readonly<Record<string, Route>>, operations)
  operatorPages(server, deps)
  referencePages(server, { ...deps, routes })
  await deps.mount?.(server)
  return server
}

function targetRefusal(url: string, guard: AddressGuard): string | null {
  const check = checkTargetUrl(url, guard)
  return check.ok ? null : check.message
}
