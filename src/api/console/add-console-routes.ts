import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountGuard } from '../../operations/limits.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { Refusal } from '../errors.ts'
import { checked, parseBody } from '../parse.ts'
import type { Access, Caller, ConsoleRoute } from './route.ts'
import { refuseForeign } from './same-site.ts'
import type { SignIn } from './sign-in.ts'

export const CONSOLE_PREFIX = '/api/console'

/** Control characters are in no id of ours nor of a store's, and one database refuses to be asked for them. */
const IMPOSSIBLE = /\p{Cc}|\p{Cs}/u

export type GateDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly people: Pick<PeopleStorage, 'memberOf'>
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  /** Origins under which the console is reached. */
  readonly origins: () => readonly string[]
}

/** Serves every route: asks who calls, checks the call by the contract, runs it. */
export function addConsoleRoutes(
  server: FastifyInstance,
  routes: readonly ConsoleRoute[],
  deps: GateDeps,
): void {
  for (const route of routes) {
    server.route<{ Params: Record<string, string> }>({
      method: route.method,
      url: `${CONSOLE_PREFIX}${route.path}`,
      handler: async (request, reply) => {
        if (route.method !== 'GET') refuseForeign(request.headers, deps.origins())
        const caller = route.access === 'anyone' ? null : await callerOf(route.access, request, reply, deps)
        if (caller !== null) deps.limits.apiRequest(caller.accountId)
        for (const value of Object.values(request.params)) if (IMPOSSIBLE.test(value)) throw nothingHere()
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
        const answer = await route.run({
          caller,
          param: (name) => request.params[name] ?? '',
          body: route.body && parseBody(route.body, request.headers['content-type'], bytes),
          query: route.query && checked(route.query, request.query),
          request,
          reply,
        })
        if (reply.sent || reply.raw.headersSent) return reply
        return answer === undefined ? reply.code(204).send() : answer
      },
    })
  }
}

/** The signed-in user of a request. Throws 401 without one, 403 for what owners may, 404 for what operators may. */
async function callerOf(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: GateDeps,
): Promise<Caller> {
  const signIn = await deps.signIn()
  const { user, setCookies } = await signIn.sessionOf(request.headers.cookie)
  if (setCookies.length > 0) reply.header('set-cookie', setCookies)
  const member = user === null ? null : await deps.people.memberOf(user.id)
  if (user === null || member === null) throw new Refusal('unauthorized', 'You are not signed in.')
  if (access === 'operator' && !member.operator) throw nothingHere()
  if (access === 'owner' && member.role !== 'owner') {
    throw new Refusal('forbidden', 'Only an owner of the account may do this.')
  }
  return { user, accountId: member.accountId, role: member.role, operator: member.operator }
}

export function nothingHere(): Refusal {
  return new Refusal('not_found', 'There is nothing at this path.')
}
