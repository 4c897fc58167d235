import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import * as contract from '../../contract/route.ts'
import type { Token } from '../../operations/tokens.ts'
import type { RouteGroup } from '../add-routes.ts'
import { ApiError } from '../errors.ts'
import { type Call, type Caller, isMember, type Route, route } from '../route.ts'
import { requireOwner } from '../session.ts'

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type BodyOf<R> = R extends { body: infer B } ? Infer<B> : undefined
type QueryOf<R> = R extends { query: infer Q } ? Infer<Q> : undefined
type RowOf<R> = R extends { rows: { schema: infer S } } ? Infer<S> : never
type CallerOf<R> = R extends { session: 'none' } ? Token : Caller
type AnswerOf<R> = R extends { success: { schema: infer S } } ? Infer<S> : undefined

/** A route of the REST API. Its documentation defines its path, its schemas and the type of its response. */
export function apiRoute<R extends contract.Route>(
  documented: R,
  run: (call: Call<BodyOf<R>, QueryOf<R>, CallerOf<R>, RowOf<R>>) => Promise<AnswerOf<R> | FastifyReply>,
): Route {
  const { method, path, params, body, bodyBytesMax, query, idempotent, etag, scopes, session, rows } =
    documented as contract.Route
  return route({
    method,
    path: path.replace(/\{(\w+)\}/g, ':$1'),
    access: session === 'none' ? 'token' : 'caller',
    ownersOnly: session === 'owner',
    body,
    bodyBytesMax,
    query,
    params,
    scopes,
    rows,
    etag: etag ?? false,
    idempotent: idempotent ?? false,
    // The call was checked by the schemas of `documented`.
    run: run as (call: Call<unknown, unknown, Caller, unknown>) => Promise<unknown>,
  })
}

/** The token or session was checked before all other checks of the request. */
export const apiGroup: RouteGroup = {
  prefix: contract.API_PREFIX,
  refusesUnknownQuery: true,
  async authenticate({ access, scopes = [], ownersOnly }, { caller, url }) {
    if (caller === null) throw new Error(`${url} was called without a check of the caller`)
    if (isMember(caller)) {
      if (access === 'token') throw new ApiError('forbidden', 'This request requires an API token.')
      if (ownersOnly) requireOwner(caller)
      return caller
    }
    if (scopes.length === 0 || scopes.some((scope) => caller.scopes.includes(scope))) return caller
    throw new ApiError(
      'forbidden',
      `This request requires a token with the scope ${scopes.join(' or ')}; this token has ${caller.scopes.join(', ')}.`,
    )
  },
}
