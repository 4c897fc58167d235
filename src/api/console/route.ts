import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Role } from '../../model/vocabulary.ts'
import type { User } from './sign-in.ts'

/** Who asks: a signed-in user, and what they may do in their one account. */
export type Caller = {
  readonly user: User
  readonly accountId: string
  readonly role: Role
  readonly operator: boolean
}

/** What one call brings, checked by its route's schemas. */
export type ConsoleCall<Body, Query, Who> = {
  readonly caller: Who
  /** The `:name` parts of the path, decoded; free of control characters. */
  readonly param: (name: string) => string
  readonly body: Body
  readonly query: Query
  /** For what is not one JSON answer: downloads, streams. */
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Who may call: `anyone`, without a session; `member` of an account; `owner` of it; `operator` of the installation, for
 * whom else there is nothing at the path.
 */
export type Access = 'anyone' | 'member' | 'owner' | 'operator'

export type ConsoleRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind `/api/console`. */
  readonly path: string
  readonly access: Access
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Undefined answers 204. */
  readonly run: (call: ConsoleCall<unknown, unknown, Caller | null>) => Promise<unknown>
}

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type WhoOf<A extends Access> = A extends 'anyone' ? null : Caller

/** A route whose `run` gets what its own schemas and access make of a call. */
export function consoleRoute<
  A extends Access = 'member',
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
>(route: {
  readonly method: ConsoleRoute['method']
  readonly path: string
  readonly access?: A
  readonly body?: B
  readonly query?: Q
  readonly run: (call: ConsoleCall<Infer<B>, Infer<Q>, WhoOf<A>>) => Promise<unknown>
}): ConsoleRoute {
  const { access = 'member', run, ...rest } = route
  // `addConsoleRoutes` calls it with what these very schemas and this access gave.
  return { ...rest, access, run: run as ConsoleRoute['run'] } as ConsoleRoute
}
