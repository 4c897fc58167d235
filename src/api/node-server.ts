import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../runtime/log.ts'
import { Refusal } from './errors.ts'
import { answerBrokenRequest, failureHandler, secure } from './guard-paths.ts'
import { type OperatorDeps, operatorPages } from './routes/operator.ts'

/** How long a whole request may take to arrive; chosen: these have no body. */
const REQUEST_TIMEOUT_MS = 10_000

const NOT_HERE =
  'This node serves /healthz, /readyz and /metrics alone: it runs without the role api (RADAR_ROLES).'

/** What a node without the role `api` serves: health, readiness and metrics. Everything else is 404. Not yet listening. */
export function createNodeServer(deps: OperatorDeps & { readonly log: Log }): FastifyInstance {
  const server = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => `req-${crypto.randomUUID()}`,
    frameworkErrors: (_error, request, reply) => notHere(request, reply),
    clientErrorHandler: answerBrokenRequest,
  })
  server.addHook('onRequest', async (request, reply) => {
    secure(request, reply, '')
    if (request.is404) throw new Refusal('not_found', NOT_HERE)
  })
  server.setErrorHandler(failureHandler(deps.log))
  operatorPages(server, deps)
  return server
}

/** Fastify refuses a malformed path before any hook runs. */
function notHere(request: FastifyRequest, reply: FastifyReply): void {
  secure(request, reply, '')
  reply.code(404).send({ error: NOT_HERE })
}
