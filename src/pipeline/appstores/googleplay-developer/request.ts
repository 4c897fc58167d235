import { clockDifference } from '../official/clock-difference.ts'
import { failed } from '../official/failure.ts'
import { type Answered, send } from '../official/send.ts'
import type { GooglePlayCredentials, OfficialContext, OfficialFailure } from '../official.ts'
import { API, type GooglePlayState, STORAGE } from './deps.ts'
import { type About, failureOf } from './errors.ts'
import { REVIEWS_SCOPE, STORAGE_SCOPE, tokenOf } from './token.ts'

export type GoogleRequest = {
  readonly method: 'GET' | 'POST'
  readonly host: 'api' | 'storage'
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly about: About
  readonly bodyBytesMax?: number
  readonly gunzip?: boolean
  /** Statuses from 400 that are an answer. */
  readonly accepts?: readonly number[]
}

/**
 * One request with a token. After a 401 about the token it is repeated once with a new one; a 401 about a permission is
 * not. A read of reviews counts against the app's quota before it is sent.
 */
export async function ask(
  deps: GooglePlayState,
  credentials: GooglePlayCredentials,
  request: GoogleRequest,
  context: OfficialContext,
): Promise<Answered | OfficialFailure> {
  const used =
    request.host === 'api' && request.method === 'GET' ? takeRead(deps, credentials, request) : null
  if (used !== null) return used
  const first = await askOnce(deps, credentials, request, context)
  if (first.kind === 'answered') return first
  const retry =
    (first.reason === 'unauthorized' && first.status === 401) ||
    (first.reason === 'unavailable' && first.status !== null && request.method === 'GET')
  return retry ? await askOnce(deps, credentials, request, context) : first
}

function takeRead(
  deps: GooglePlayState,
  { clientEmail }: GooglePlayCredentials,
  { about }: GoogleRequest,
): OfficialFailure | null {
  const appId = about.kind === 'review' ? about.appId : about.id
  const waitMs = deps.reads.take(`${clientEmail} ${appId}`)
  if (waitMs === 0) return null
  const detail = `The 200 reads an hour that ${API} allows for ${appId} are used up.`
  return failed('rate_limited', detail, { retryAfterMs: Math.ceil(waitMs) })
}

async function askOnce(
  deps: GooglePlayState,
  credentials: GooglePlayCredentials,
  request: GoogleRequest,
  context: OfficialContext,
): Promise<Answered | OfficialFailure> {
  const { method, host, path, body, about } = request
  const token = await tokenOf(deps, credentials, host === 'api' ? REVIEWS_SCOPE : STORAGE_SCOPE, context)
  if (token.kind === 'failed') return token
  const answer = await send(
    deps,
    {
      api: host === 'api' ? API : STORAGE,
      method,
      url: (host === 'api' ? deps.baseUrl : deps.storageUrl) + path,
      headers: {
        authorization: `Bearer ${token.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(request.bodyBytesMax === undefined ? {} : { bodyBytesMax: request.bodyBytesMax }),
      ...(request.gunzip === undefined ? {} : { gunzip: request.gunzip }),
    },
    context,
  )
  if (answer.kind === 'failed') return answer
  const { status } = answer
  if (status < 400 || request.accepts?.includes(status)) return answer
  if (status === 401) deps.tokens.drop(token.cacheKey, token.token)
  const clockProblem = status === 401 ? clockDifference(answer.headers, deps.clock.now(), 'Google') : null
  return failureOf(answer, about, credentials.clientEmail, clockProblem)
}
