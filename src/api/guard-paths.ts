import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PREFIX } from '../contract/route.ts'
import type { AccountGuard } from '../operations/limits.ts'
import type { Log } from '../runtime/log.ts'
import { allowedMethods, routesAt } from './allowed-methods.ts'
import { type AuthDeps, authenticate } from './auth.ts'
import { ApiError, failureAnswer } from './errors.ts'
import { type Caller, isMember } from './route.ts'
import { maskedPath } from './secret-paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set under `/api/v1` after the check of the token or session; null elsewhere. */
    caller: Caller | null
  }
}

export type PathGuardDeps = AuthDeps & {
  readonly log: Log
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  /** The service's public URL. If it has `https:`, responses have Strict-Transport-Security. */
  readonly publicUrl: () => string
}

export type PathGuard = {
  /** Responds to a request that Fastify rejected before any hook ran; under `/api/v1` after the check of the caller. */
  readonly refuse: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
}

/**
 * Rules for every path: security headers, 404 and 405 with the same body, one error handler. Under `/api/v1` the check of the caller
 * precedes all others, also for unknown paths.
 */
export function guardPaths(server: FastifyInstance, deps: PathGuardDeps): PathGuard {
  const fail = failureHandler(deps.log)

  const routes: { readonly method: string; readonly pattern: string }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, pattern: url })
  })

  server.decorateRequest('caller', null)
  server.setErrorHandler(fail)
  server.addHook('onRequest', async (request, reply) => {
    secure(request, reply, deps.publicUrl())
    const path = pathOf(request)
    const underApi = isUnderApi(path) || isUnderApi(request.routeOptions.url ?? '')
    if (underApi) {
      request.caller = await authenticate(request, reply, deps)
      deps.limits.apiRequest(request.caller.accountId)
    }
    // The wildcard route of the console's pages must not match unknown paths of the API, and a path of its own is no id of another one.
    const pattern = request.routeOptions.url ?? ''
    const isOfAnother = pattern !== path && routesAt(routes, path).length > 0
    const routed = !request.is404 && (!underApi || (isUnderApi(pattern) && !isOfAnother))
    if (routed) return
    const methods = allowedMethods(routes, path)
    if (methods.length === 0) throw new ApiError('not_found', 'There is nothing at this path.')
    const allow = methods.join(', ')
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    throw new ApiError('method_not_allowed', `${request.method} is not allowed here. Allowed: ${allow}.`, {
      allow,
    })
  })
  // Fastify waits for events of the body, and a request destroyed during the check of the caller emits no more of them.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const { destroyed, complete } = request.raw
    if (destroyed && !complete) done(new ClientLeft())
    else done(null, payload)
  })
  server.addHook('onResponse', async (request, reply) => {
    deps.log.debug('api.answered', {
      method: request.method,
      path: request.routeOptions.url ?? null,
      status: reply.statusCode,
      took_ms: Math.round(reply.elapsedTime),
      account: request.caller?.accountId ?? null,
    })
  })

  return {
    refuse(error, request, reply) {
      secure(request, reply, deps.publicUrl())
      const checked = isUnderApi(pathOf(request)) ? authenticate(request, reply, deps) : Promise.resolve()
      checked.then(
        () => fail(error, request, reply),
        (refusal) => fail(refusal, request, reply),
      )
    },
  }
}

/** Responds to errors, and logs internal ones. */
export function failureHandler(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const isApi = isUnderApi(path)
    const failure = failureAnswer(error, request.id, request.routeOptions.bodyLimit)
    const fields = { request_id: request.id, method: request.method, path: maskedPath(path) }
    if (hasClientLeft(error, request)) log.debug('api.client_left', fields)
    else if (failure.internal) log.error('api.failed', { ...fields, error })
    // docs/contract.md, Requests and errors: an error of the REST API has no other field. Forms of the console need the fields.
    const isForConsole = !isApi || isMember(request.caller)
    const hasFields = isForConsole && Object.keys(failure.fields).length > 0
    const body = hasFields ? { ...failure.body, fields: failure.fields } : failure.body
    return reply.code(failure.status).headers(failure.headers).send(body)
  }
}

/** Codes of errors about a connection that the other side closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'])

/** The client closed its connection before its request was complete. */
class ClientLeft extends Error {
  readonly code = 'ECONNRESET'
}

/** Whether the error only says that the client closed its connection during the request. A bug is logged even then. */
function hasClientLeft(error: unknown, { raw }: FastifyRequest): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return raw.socket.destroyed && CLOSED.has(code)
}

/** One year, the minimum of browsers' preload lists. Excludes subdomains, which may belong to other services. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

/** Browser features that the console and the API do not use; an injected script cannot use them either. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** Headers of every response; pages replace the content security policy. */
export function secure(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': PERMISSIONS_POLICY,
    'cache-control': 'no-store',
  })
  // The protocol from a trusted proxy's header, else of the connection.
  if (publicUrl.startsWith('https:') || request.protocol === 'https') {
    reply.header('strict-transport-security', STRICT_TRANSPORT_SECURITY)
  }
}

/** Decoded as the router decodes it, so that no encoding of a path bypasses the check of the caller. */
function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split(/[?#]/, 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function isUnderApi(path: string): boolean {
  return path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)
}

const BROKEN: Readonly<Record<string, readonly [status: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

/** Responds to input that is not a complete HTTP request; Node provides no request object for it. */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, sentence] = BROKEN[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not a valid HTTP request.',
  ]
  const body = JSON.stringify({ error: sentence })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
