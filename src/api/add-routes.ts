import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ACCOUNT_QUERY } from '../contract/console/account-header.ts'
import { BODY_BYTES_MAX } from '../contract/route.ts'
import { unknownNames } from '../model/unknown-names.ts'
import { ApiError } from './errors.ts'
import { checked, parseBody } from './parse.ts'
import { type RecordedOperations, recorder } from './record-call.ts'
import { type Caller, isMember, type Route } from './route.ts'
import { parseRows } from './rows.ts'

/** The prefix of a group of routes, and how it authenticates the caller. */
export type RouteGroup = {
  /** Before each path, e.g. `/api/v1`; empty for the root. */
  readonly prefix: string
  /** Whether an unknown query parameter is refused: a misspelt filter would return too much. */
  readonly refusesUnknownQuery?: boolean
  /** The caller of a route; null for `anyone`. Throws an `ApiError` when the caller is not allowed. */
  readonly authenticate: (
    route: Pick<Route, 'access' | 'scopes' | 'ownersOnly'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<Caller | null>
}

/** No id has control characters or lone surrogates, and PostgreSQL rejects them in a parameter. */
const INVALID_ID_CHARS = /\p{Cc}|\p{Cs}/u

/**
 * Serves every route: authenticates the caller, validates the call by the route's schemas, runs it, and records it in the audit log.
 * `operations` is null for a group without callers.
 */
export function addRoutes(
  server: FastifyInstance,
  group: RouteGroup,
  routes: readonly Route[],
  operations: RecordedOperations | null,
): void {
  for (const route of routes) {
    const recorded = operations === null ? null : recorder(group.prefix, route, operations)
    server.route<{ Params: Record<string, string> }>({
      method: route.method,
      url: `${group.prefix}${route.path}`,
      bodyLimit: route.rows?.bytesMax ?? route.bodyBytesMax ?? BODY_BYTES_MAX,
      handler: async (request, reply) => {
        const caller = await group.authenticate(route, request, reply)
        refuseViewer(caller, route)
        checkParams(request.params, route.params)
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
        const call = {
          caller,
          param: (name: string) => request.params[name] ?? '',
          body: route.body && parseBody(route.body, request.headers['content-type'], bytes),
          query:
            route.query &&
            checkedQuery(
              route.query,
              withoutPageAccount(request, caller),
              group.refusesUnknownQuery ?? false,
            ),
          rows: route.rows ? await parseRows(route.rows, request.headers['content-type'], bytes) : [],
          idempotencyKey: route.idempotent ? keyOf(request.headers['idempotency-key']) : null,
          request,
          reply,
        }
        const answer = await (recorded === null ? route.run(call) : recorded(call, () => route.run(call)))
        if (answer === reply || reply.sent || reply.raw.headersSent) return reply
        // Browsers store nothing of a session, so its answers have no tag.
        if (route.etag && !isMember(caller)) return sendTagged(request, reply, answer)
        return answer === undefined ? reply.code(204).send() : answer
      },
    })
  }
}

/** Without the account of a page of the console, which the check of the session has read. */
function withoutPageAccount({ query }: FastifyRequest, caller: Caller | null): unknown {
  if (caller === null || !isMember(caller) || typeof query !== 'object' || query === null) return query
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== ACCOUNT_QUERY))
}

function checkedQuery(schema: z.ZodType, given: unknown, refusesUnknown: boolean): unknown {
  if (refusesUnknown && schema instanceof z.ZodObject) {
    const [problem] = unknownNames(given, Object.keys(schema.shape), 'a query parameter of this path')
    if (problem !== undefined) throw new ApiError('invalid', problem)
  }
  return checked(schema, given)
}

/** Sends the body, or 304 when the caller has it. The tag is a hash of the body, so it is the same on every node. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  const body = JSON.stringify(answer)
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache' })
  // A proxy that compresses makes the tag weak.
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
  if (known.includes(tag) || known.includes('*')) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Viewers may call GET routes and those with `viewersToo`, so a new changing route is closed to them. */
function refuseViewer(caller: Caller | null, { method, viewersToo }: Route): void {
  if (method === 'GET' || viewersToo || !isMember(caller) || caller.role !== 'viewer') return
  throw new ApiError(
    'forbidden',
    'You are a viewer of this account and can change nothing. Ask an owner to make you a member.',
  )
}

/** Bodies arrive as bytes; a route with a body schema parses them. A DELETE with a JSON header and no body is allowed. */
export function acceptAnyBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

export function notFound(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path.')
}

function checkParams(params: Readonly<Record<string, string>>, schema: z.ZodType | undefined): void {
  const result = schema?.safeParse(params)
  if (result?.success === false) {
    throw new ApiError('not_found', result.error.issues[0]?.message ?? 'There is nothing at this path.')
  }
  for (const value of Object.values(params)) if (INVALID_ID_CHARS.test(value)) throw notFound()
}

/** Long enough for any kind of id. Node joins repeated headers with a comma. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** Null without the header. Throws 400 for a malformed key. */
function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = String(header).trim()
  if (KEY.test(key)) return key
  throw new ApiError(
    'invalid',
    'Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.',
  )
}
