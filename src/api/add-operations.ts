import type { FastifyInstance } from 'fastify'
import { API_PREFIX, type Operation, type Route } from '../contract/routes.ts'
import { Refusal } from './errors.ts'
import type { Call, Operations } from './operation.ts'
import { checked, parseBody } from './parse.ts'

/** An id of ours is visible ASCII; anything else is nobody's, and some databases refuse to be asked for it. */
const POSSIBLE_ID = /^[\x21-\x7e]{1,500}$/

/** Serves every operation of the route table: checks the call by the contract, runs it, answers with its status. */
export function addOperations(
  server: FastifyInstance,
  routes: Readonly<Record<Operation, Route>>,
  operations: Operations,
): void {
  // Bodies come as bytes and are judged by the operation that wants one: a DELETE with a JSON header is fine.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  for (const name of Object.keys(routes) as Operation[]) {
    const { method, path, query, body, success, idempotent = false } = routes[name]
    // The table gives each operation the very schemas that its own type was made from.
    const run = operations[name] as (call: Call<unknown, unknown>) => Promise<unknown>
    server.route<{ Params: { id?: string } }>({
      method,
      url: `${API_PREFIX}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: async (request, reply) => {
        if (request.token === null) throw new Error(`${name} was called without a token check`)
        const { id = '' } = request.params
        if (path.includes('{id}') && !POSSIBLE_ID.test(id)) {
          throw new Refusal('not_found', 'The account has no hook with this id.')
        }
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
        const answer = await run({
          accountId: request.token.accountId,
          tokenId: request.token.id,
          tokenName: request.token.name,
          id,
          body: body && parseBody(body, request.headers['content-type'], bytes),
          query: query && checked(query, request.query),
          idempotencyKey: idempotent ? keyOf(request.headers['idempotency-key']) : null,
        })
        reply.code(success.status)
        return success.status === 204 ? reply.send() : answer
      },
    })
  }
}

/** Chosen: room for any kind of id. Node joins repeated headers with a comma. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** Null without the header. Throws 400 for a malformed key. */
function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = String(header).trim()
  if (KEY.test(key)) return key
  throw new Refusal('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.')
}
