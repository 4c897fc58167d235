import Fastify, { type FastifyInstance } from 'fastify'
import { BODY_BYTES_MAX } from '../contract/route.ts'
import { routesFor } from '../contract/routes.ts'
import { basePathOf, belowBasePath } from '../model/base-path.ts'
import type { AccountGuard } from '../operations/limits.ts'
import type { Log } from '../runtime/log.ts'
import { acceptAnyBody, addRoutes } from './add-routes.ts'
import { type AtomRouteDeps, atomGroup, atomRoutes } from './atom/routes.ts'
import type { AuthDeps } from './auth.ts'
import { readForwarded } from './client-address.ts'
import { closeSilentConnections } from './close-silent-connections.ts'
import { compressAnswers } from './compress.ts'
import { answerBrokenRequest, guardPaths } from './guard-paths.ts'
import { mountMcp } from './mcp.ts'
import { NO_SCHEMAS } from './no-schemas.ts'
import { type OperatorDeps, operatorGroup, operatorRoutes } from './operator/operator.ts'
import { referenceRoutes } from './operator/reference.ts'
import type { RecordedOperations } from './record-call.ts'
import { type UnsubscribeRouteDeps, unsubscribeGroup, unsubscribeRoutes } from './unsubscribe/routes.ts'
import { apiGroup } from './v1/route.ts'
import { type ApiRouteDeps, apiRoutes } from './v1/routes.ts'

export type ServerDeps = AuthDeps & {
  readonly operations: RecordedOperations
} & ApiRouteDeps &
  AtomRouteDeps &
  UnsubscribeRouteDeps &
  OperatorDeps & {
    readonly log: Log
    readonly limits: AccountGuard
    /** The values of `source` that subscribe accepts. */
    readonly sources: readonly string[]
    readonly version: string
    /** Addresses and CIDR blocks of proxies whose forwarding headers are trusted. */
    readonly trustedProxies: readonly string[]
    /** A function, because with port 0 the URL is known only after the server listens. */
    readonly publicUrl: () => string
    /** Adds more routes, e.g. the console's. */
    readonly mount?: (server: FastifyInstance) => Promise<void>
  }

/** Time limit for receiving the whole request: 64 KiB at 2 KiB per second. */
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than any id. */
const PARAM_CHARS_MAX = 500

/** The HTTP server, not yet listening. Every error has the body `{"error": …}`, also those of Fastify. */
export async function createApiServer(deps: ServerDeps): Promise<FastifyInstance> {
  const routes = routesFor(deps.sources, (url) => {
    const problem = deps.operations.hooks.targetUrlProblem(url)
    return problem === null ? null : `target_url ${problem}`
  })
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Requests in progress get their response during the close; the 503 of Fastify has another body.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => `req-${crypto.randomUUID()}`,
    schemaController: NO_SCHEMAS,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    frameworkErrors: (error, request, reply) => guard.refuse(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    rewriteUrl: ({ url = '/' }) => belowBasePath(url, basePathOf(deps.publicUrl())),
  })
  closeSilentConnections(server)
  readForwarded(server)
  compressAnswers(server)
  const guard = guardPaths(server, deps)
  acceptAnyBody(server)
  addRoutes(server, apiGroup, Object.values(apiRoutes(routes, deps)), deps.operations)
  addRoutes(server, operatorGroup, [...operatorRoutes(deps), ...referenceRoutes({ ...deps, routes })], null)
  addRoutes(server, atomGroup, atomRoutes(deps), null)
  addRoutes(server, unsubscribeGroup, unsubscribeRoutes(deps), null)
  mountMcp(server, deps)
  await deps.mount?.(server)
  return server
}
