import { clockDifference } from '../official/clock-difference.ts'
import { failed } from '../official/failure.ts'
import { type Answered, changedAnswer, jsonOf, send } from '../official/send.ts'
import type { AppStoreConnectCredentials, OfficialContext, OfficialFailure, Quota } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { API, type AppStoreConnectState } from './deps.ts'
import { failureOf } from './errors.ts'
import { quotaOf } from './quota.ts'
import { tokenOf } from './token.ts'

export type AscRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
  /** For the sentences about 403 and 404. */
  readonly about: { readonly kind: 'apps' | 'app' | 'review' | 'reply'; readonly id: string }
}

export type AscAnswer = {
  readonly kind: 'ok'
  /** The parsed body; null for 204. */
  readonly root: Readonly<Record<string, unknown>> | null
  readonly answer: Answered
  readonly quota: Quota | null
}

/**
 * One request with a token. After a 401 it is repeated once with a new token, and after a 5xx a read once: Apple fails
 * at random on valid requests.
 */
export async function ask(
  deps: AppStoreConnectState,
  credentials: AppStoreConnectCredentials,
  request: AscRequest,
  context: OfficialContext,
): Promise<AscAnswer | OfficialFailure> {
  const first = await askOnce(deps, credentials, request, context)
  if (first.kind === 'ok') return first
  const retry =
    first.reason === 'unauthorized' ||
    (first.reason === 'unavailable' && first.status !== null && request.method === 'GET')
  return retry ? await askOnce(deps, credentials, request, context) : first
}

async function askOnce(
  deps: AppStoreConnectState,
  credentials: AppStoreConnectCredentials,
  request: AscRequest,
  context: OfficialContext,
): Promise<AscAnswer | OfficialFailure> {
  const token = tokenOf(deps.tokens, deps.clock, credentials)
  if (token.kind === 'failed') return token
  if (!(await deps.spacing.wait(token.cacheKey, context.signal))) {
    return failed('interrupted', `The request to ${API} was not made: the service is stopping.`)
  }
  const { method, path, body } = request
  const authorization = `Bearer ${token.token}`
  const answer = await send(
    deps,
    {
      api: API,
      method,
      url: deps.baseUrl + path,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    context,
  )
  if (answer.kind === 'failed') return answer
  const { status } = answer
  if (status >= 400) {
    if (status === 401) deps.tokens.drop(token.cacheKey, token.token)
    const clock = status === 401 ? clockDifference(answer.headers, deps.clock.now(), API) : null
    return failureOf(answer, request.about, clock, credentials.issuerId !== null)
  }
  const quota = quotaOf(answer.headers)
  if (status === 204) return { kind: 'ok', root: null, answer, quota }
  if (answer.truncated) return changedAnswer(API, 'it is too large', answer)
  const root = recordOf(jsonOf(answer))
  if (root === null) return changedAnswer(API, 'it is not a JSON object', answer)
  return { kind: 'ok', root, answer, quota }
}
