import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../runtime/log.ts'
import { addRoutes } from './add-routes.ts'
import { closeSilentConnections } from './close-silent-connections.ts'
import { ApiError } from './errors.ts'
import { answerBrokenRequest, failureHandler, secure } from './guard-paths.ts'
import { NO_SCHEMAS } from './no-schemas.ts'
import { type OperatorDeps, operatorGroup, operatorRoutes } from './operator/operator.ts'

/** Time limit for receiving a request; these requests have no body. */
const REQUEST_TIMEOUT_MS = 10_000

const NOT_SERVED =
  'This node serves only /healthz, /readyz and /metrics: it runs without the role api (RADAR_ROLES).'

/** The server of a node without the role `api`, not yet listening: health, readiness and metrics; else 404. */
export function createNodeServer(deps: OperatorDeps & { readonly log: Log }): FastifyInstance {
  const server = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    schemaController: NO_SCHEMAS,
    genReqId: () => `req-${crypto.randomUUID()}`,
    frameworkErrors: (_error, request, reply) => notServed(request, reply),
    clientErrorHandler: answerBrokenRequest,
  })
  closeSilentConnections(server)
  server.addHook('onRequest', async (request, reply) => {
    secure(request, reply, '')
    if (request.is404) throw new ApiError('not_found', NOT_SERVED)
  })
  server.setErrorHandler(failureHandler(deps.log))
  addRoutes(server, operatorGroup, operatorRoutes(deps), null)
  return server
}

/** Fastify refuses a malformed path before any hook runs. */
function notServed(request: FastifyRequest, reply: FastifyReply): void {
  secure(request, reply, '')
  reply.code(404).send({ error: NOT_SERVED })
}
