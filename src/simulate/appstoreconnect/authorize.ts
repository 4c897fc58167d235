import type { SimulatedRequest } from '../answer.ts'
import type { AppleKey } from '../official/official-world.ts'
import { readToken, timesOf } from '../official/verify-token.ts'
import type { World } from '../world.ts'
import { type AscError, FORBIDDEN, LIMITED, NOT_AUTHORIZED } from './errors.ts'

/** Apple accepts a lifetime below 20 minutes; one of exactly 20 was refused (reported 2026). */
const LIFETIME_SECONDS_MAX = 20 * 60

/** The key of the request's token, or why it is refused. `at` is the store's time. */
export function authorize(world: World, request: SimulatedRequest, at: Date): AppleKey | AscError {
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const token = bearer === undefined ? null : readToken(bearer)
  const times = token === null ? null : timesOf(token)
  if (token === null || times === null || typeof token.header.kid !== 'string') return NOT_AUTHORIZED
  const key = world.official.appleKey(token.header.kid)
  if (key === null || token.header.typ !== 'JWT' || !token.isSignedBy(key.publicKey)) return NOT_AUTHORIZED
  const { claims } = token
  const isOwner =
    key.issuerId === null
      ? claims.sub === 'user' && claims.iss === undefined
      : claims.iss === key.issuerId && claims.sub === undefined
  if (!isOwner || claims.aud !== 'appstoreconnect-v1') return NOT_AUTHORIZED
  const now = at.getTime() / 1000
  const { issuedAt, expiresAt } = times
  const isTimely =
    issuedAt <= now &&
    expiresAt > now &&
    expiresAt - issuedAt < LIFETIME_SECONDS_MAX &&
    expiresAt - now < LIFETIME_SECONDS_MAX
  if (!isTimely) return NOT_AUTHORIZED
  return isInScope(claims.scope, request) ? key : FORBIDDEN
}

/** These parameters are not compared. */
const UNSCOPED = ['limit', 'cursor', 'sort']

/** Whether the token is for this request: all without `scope`, else only those that it lists, all of them reads. */
function isInScope(scope: unknown, { method, url }: SimulatedRequest): boolean {
  if (scope === undefined) return true
  const wanted = scopeOf(url)
  return (
    Array.isArray(scope) &&
    method === 'GET' &&
    scope.some((one) => {
      const given = typeof one === 'string' ? /^GET (\/\S+)$/.exec(one)?.[1] : undefined
      return given !== undefined && scopeOf(given) === wanted
    })
  )
}

/** Path and query in one form. */
function scopeOf(text: string): string {
  const { pathname, searchParams } = new URL(text, 'http://store.invalid')
  for (const name of UNSCOPED) searchParams.delete(name)
  searchParams.sort()
  return `${pathname}?${searchParams}`
}

/** Counts a request of a key. Returns the header of its rate limit, and the error when it is over a limit. */
export function countRequest(
  world: World,
  key: AppleKey,
  at: Date,
): { readonly header: string; readonly error: AscError | null } {
  const { applePerHour, applePerMinute } = world.official.settings()
  const inHour = world.official.count(`apple/hour/${key.keyId}`, 60 * 60_000, at)
  const inMinute = world.official.count(`apple/minute/${key.keyId}`, 60_000, at)
  const remaining = Math.max(0, applePerHour - inHour)
  return {
    header: `user-hour-lim:${applePerHour};user-hour-rem:${remaining};`,
    error: inHour > applePerHour || inMinute > applePerMinute ? LIMITED : null,
  }
}
