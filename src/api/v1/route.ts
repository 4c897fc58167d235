import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import * as contract from '../../contract/route.ts'
import type { Token } from '../../storage/port/accounts.ts'
import type { RouteGroup } from '../add-routes.ts'
import { ApiError } from '../errors.ts'
import { type Call, type Route, route } from '../route.ts'

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type BodyOf<R> = R extends { body: infer B } ? Infer<B> : undefined
type QueryOf<R> = R extends { query: infer Q } ? Infer<Q> : undefined
type RowOf<R> = R extends { rows: { schema: infer S } } ? Infer<S> : never
type AnswerOf<R> = R extends { success: { schema: infer S } } ? Infer<S> : undefined

/** A route of the REST API. Its documentation defines its path, its schemas and the type of its response. */
export function apiRoute<R extends contract.Route>(
  documented: R,
  run: (call: Call<BodyOf<R>, QueryOf<R>, Token, RowOf<R>>) => Promise<AnswerOf<R> | FastifyReply>,
): Route {
  const { method, path, params, body, query, idempotent, etag, scopes, rows } = documented as contract.Route
  return route({
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    access: 'token',
    body,
    query,
    params,
    scopes,
    rows,
    etag: etag ?? false,
    idempotent: idempotent ?? false,
    // The call was checked by the schemas of `documented`.
    run: run as (call: Call<unknown, unknown, Token, unknown>) => Promise<unknown>,
  })
}

/** The token was checked before all other checks of the request. */
export const tokenGroup: RouteGroup = {
  prefix: contract.API_PREFIX,
  async authenticate({ scopes = [] }, { token, url }) {
    if (token === null) throw new Error(`${url} was called without a token check`)
    if (scopes.length === 0 || scopes.some((scope) => token.scopes.includes(scope))) return token
    throw new ApiError(
      'forbidden',
      `This request requires a token with the scope ${scopes.join(' or ')}; this token has ${token.scopes.join(', ')}.`,
    )
  },
}
