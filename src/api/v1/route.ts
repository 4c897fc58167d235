import { z } from 'zod'
import * as contract from '../../contract/routes.ts'
import type { Token } from '../../storage/port/accounts.ts'
import type { Door } from '../add-routes.ts'
import { type Call, type Route, route } from '../route.ts'

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type BodyOf<R> = R extends { body: infer B } ? Infer<B> : undefined
type QueryOf<R> = R extends { query: infer Q } ? Infer<Q> : undefined
type AnswerOf<R> = R extends { success: { schema: infer S } } ? Infer<S> : undefined

/** Ids are visible ASCII; other text is no id, and PostgreSQL refuses some of it. */
const hookId = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,500}$/, 'The account has no hook with this id.'),
})

/** A route of the REST API: its path, schemas and the type of its answer come from its documentation. */
export function apiRoute<R extends contract.Route>(
  documented: R,
  run: (call: Call<BodyOf<R>, QueryOf<R>, Token>) => Promise<AnswerOf<R>>,
): Route {
  const { method, path, body, query, idempotent } = documented as contract.Route
  return route({
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    access: 'token',
    body,
    query,
    ...(path.includes('{id}') && { params: hookId }),
    idempotent: idempotent ?? false,
    // The schemas of the call are those of `documented`.
    run: run as (call: Call<unknown, unknown, Token>) => Promise<AnswerOf<R>>,
  })
}

/** The token was checked before any other check of the request, also of unknown paths. */
export const tokenDoor: Door = {
  prefix: contract.API_PREFIX,
  async admit(_route, request) {
    if (request.token === null) throw new Error(`${request.url} was called without a token check`)
    return request.token
  },
}
