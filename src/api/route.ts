import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Route as TableRoute } from '../contract/route.ts'
import type { Role, TokenScope } from '../model/vocabulary.ts'
import type { User } from '../operations/accounts/users.ts'
import type { Changer } from '../operations/require-hook.ts'
import type { Token } from '../operations/tokens.ts'

/** A signed-in user and their permissions in the account that the session has entered. */
export type Member = {
  readonly user: User
  readonly sessionId: string | null
  readonly accountId: string
  readonly role: Role
  readonly operator: boolean
}

/** Who calls the REST API: a program with a token, or a user with a session. */
export type Caller = Token | Member

export function isMember(caller: Caller | null | undefined): caller is Member {
  return caller != null && 'user' in caller
}

/** The name of a user or a token, for what the account keeps of their work. */
export function nameOf(caller: Caller): string {
  return isMember(caller) ? caller.user.name : caller.name
}

/** In whose name a caller changes hooks. */
export function changerOf(caller: Caller): Changer {
  return isMember(caller) ? 'person' : 'program'
}

/**
 * Who may call: `token`, a program with an API token; `caller`, also a member with a session; `anyone`, without credentials; `member` or
 * `owner` of an account, or `operator` of the installation, with a session. An operator's path returns 404 to other users.
 */
export type Access = 'token' | 'caller' | 'anyone' | 'member' | 'owner' | 'operator'

type CallerOf<A extends Access> = A extends 'anyone'
  ? null
  : A extends 'token'
    ? Token
    : A extends 'caller'
      ? Caller
      : Member

/** One call, checked by the schemas of its route. */
export type Call<Body = undefined, Query = undefined, Caller = Member, Row = never> = {
  readonly caller: Caller
  /** The `:name` parts of the path, decoded; free of control characters. */
  readonly param: (name: string) => string
  readonly body: Body
  readonly query: Query
  /** The rows of a body in JSON Lines or CSV; empty on other routes. */
  readonly rows: readonly Row[]
  /** The header `Idempotency-Key`; null without it and on routes that do not accept it. */
  readonly idempotencyKey: string | null
  /** For responses that are not a JSON value: downloads, streams. */
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path after the prefix of the route group. */
  readonly path: string
  readonly access: Access
  readonly body?: z.ZodType
  /** Of the request; `BODY_BYTES_MAX` by default. */
  readonly bodyBytesMax?: number
  readonly query?: z.ZodType
  /** The schema of the `:name` parts of the path. An invalid value returns 404 with the message of the schema. */
  readonly params?: z.ZodType
  /** Accepts the header `Idempotency-Key`. */
  readonly idempotent?: boolean
  /** The response has an `ETag`; the same value in `If-None-Match` returns 304. */
  readonly etag?: boolean
  /** A token must have one of these scopes; an empty list allows any token. */
  readonly scopes?: readonly TokenScope[]
  /** With a session only owners may call. */
  readonly ownersOnly?: boolean
  /** A viewer may call it although it is no GET: it reads, or it is about the user's own access. */
  readonly viewersToo?: boolean
  readonly rows?: TableRoute['rows']
  /** Undefined returns 204. */
  readonly run: (call: Call<unknown, unknown, Caller | null, unknown>) => Promise<unknown>
}

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined

/** Defines a route: the types of `run` come from its schemas and its access. */
export function route<
  A extends Access = 'member',
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
>(definition: {
  readonly method: Route['method']
  readonly path: string
  readonly access?: A
  readonly body?: B
  readonly bodyBytesMax?: number | undefined
  readonly query?: Q
  readonly params?: z.ZodType | undefined
  readonly idempotent?: boolean
  readonly etag?: boolean
  readonly scopes?: readonly TokenScope[]
  readonly ownersOnly?: boolean
  readonly viewersToo?: boolean
  readonly rows?: Route['rows']
  readonly run: (call: Call<Infer<B>, Infer<Q>, CallerOf<A>>) => Promise<unknown>
}): Route {
  const { access = 'member', run, ...rest } = definition
  // `addRoutes` calls it with the results of these schemas and of this access.
  return { ...rest, access, run: run as Route['run'] } as Route
}
