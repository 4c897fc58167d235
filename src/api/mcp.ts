import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_PREFIX } from '../contract/route.ts'
import type { Api } from '../mcp/api.ts'
import type { AccountGuard } from '../operations/limits.ts'
import { type TokenDeps, tokenOf } from './auth.ts'
import { ApiError } from './errors.ts'

export type McpDeps = TokenDeps & {
  readonly version: string
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  readonly publicUrl: () => string
}

/**
 * Serves the Model Context Protocol at `/mcp`, without sessions. A tool calls the REST API inside this server with the
 * caller's token, so that scopes, limits, isolation and the audit log are those of the API.
 */
export function mountMcp(server: FastifyInstance, deps: McpDeps): void {
  let handler: ReturnType<typeof createHandler> | null = null
  server.addHook('onClose', async () => (await handler)?.close())
  server.post('/mcp', async (request, reply) => {
    refuseOtherSites(request, deps.publicUrl())
    const { id, accountId, scopes } = await tokenOf(request, deps)
    deps.limits.apiRequest(accountId, messagesIn(request.body))
    const body = request.body instanceof Uint8Array ? new Uint8Array(request.body) : new Uint8Array()
    const given = new Request(`http://localhost${request.url}`, {
      method: 'POST',
      headers: headersOf(request),
      body,
    })
    const authInfo = { token: '', clientId: id, scopes: [...scopes], extra: { request } }
    handler ??= createHandler(server, deps.version)
    const answer = await (await handler).fetch(given, { authInfo })
    reply.code(answer.status)
    for (const [name, value] of answer.headers) if (name !== 'content-length') reply.header(name, value)
    return reply.send(Buffer.from(await answer.arrayBuffer()))
  })
  // A server without sessions has no stream to open and nothing to end.
  server.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: async ({ method }) => {
      throw new ApiError('method_not_allowed', `${method} is not allowed here. Allowed: POST.`, {
        allow: 'POST',
      })
    },
  })
}

/** Programs send no Origin. A page of another site, also one whose name was made to resolve to this server, has its own. */
function refuseOtherSites({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || URL.parse(origin)?.origin === new URL(publicUrl).origin) return
  throw new ApiError('forbidden', 'This request comes from another site.')
}

/** The messages of a request, at least one. The request of the API that a tool makes is counted besides: some calls make none. */
function messagesIn(body: unknown): number {
  try {
    return Math.max(1, [JSON.parse(Buffer.from(body as Uint8Array).toString('utf8'))].flat().length)
  } catch {
    return 1
  }
}

/** Loaded with the first request: the library takes 33 MB. */
async function createHandler(server: FastifyInstance, version: string) {
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { createMcpServer } = await import('../mcp/server.ts')
  return createMcpHandler(
    ({ authInfo }) => createMcpServer(apiOf(server, authInfo?.extra?.request as FastifyRequest), version),
    // The list of tools never changes, so clients need no stream of changes.
    { maxSubscriptions: 0 },
  )
}

function apiOf(server: FastifyInstance, caller: FastifyRequest): Api {
  return async ({ method, path, query = {}, body }) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await server.inject({
      method,
      url: `${API_PREFIX}${path}`,
      query: Object.fromEntries(given),
      headers: {
        ...credentialsOf(caller),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      remoteAddress: caller.ip,
    })
    const value: unknown = answer.body === '' ? null : answer.json()
    if (answer.statusCode < 400) return { ok: true, body: value }
    const { error } = value as { readonly error?: unknown }
    return { ok: false, error: String(error ?? `The API answered ${answer.statusCode}.`) }
  }
}

function credentialsOf({ headers }: FastifyRequest): Record<string, string> {
  const { authorization, 'x-api-key': key } = headers
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(typeof key === 'string' ? { 'x-api-key': key } : {}),
  }
}

function headersOf({ headers }: FastifyRequest): Headers {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'content-length' && name !== 'transfer-encoding')
      copied.set(name, value)
  }
  return copied
}
