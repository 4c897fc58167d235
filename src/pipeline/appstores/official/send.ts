import type { Egress, EgressFailure, EgressRequest } from '../../../runtime/egress/egress.ts'
import { retryAfterMs as retryAfterMsOf } from '../../../runtime/retry-after.ts'
import { STORE_RETRY_AFTER_MS_MAX } from '../appstore.ts'
import { jsonParser } from '../bounded-json.ts'
import type { OfficialContext, OfficialFailure } from '../official.ts'
import { rawAnswer } from '../raw-answer.ts'
import { failed } from './failure.ts'

/** One request to an official API, and what does not depend on the store: no answer, 5xx, redirects, sizes. */

export type SendDeps = { readonly egress: Egress; readonly timeoutMs: number }

export type OfficialRequest = Pick<EgressRequest, 'method' | 'url' | 'headers' | 'body'> & {
  /** The store's name in sentences. */
  readonly api: string
  /** Limits the answer, 16 MiB by default. */
  readonly bodyBytesMax?: number
  /** Whether the answer may be compressed; `true` by default. */
  readonly gunzip?: boolean
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly truncated: boolean
}

/** 200 reviews of 6,000 characters with their answers have 10 MB. */
const BODY_BYTES_MAX = 16 * 1024 * 1024

/** Failures before the request left this machine, so that a write was not applied. */
const UNSENT: readonly EgressFailure[] = [
  'timeout_connect',
  'dns',
  'connect_refused',
  'connect_failed',
  'tls',
  'blocked_address',
  'invalid_request',
]

export async function send(
  deps: SendDeps,
  request: OfficialRequest,
  { pace, signal }: OfficialContext,
): Promise<Answered | OfficialFailure> {
  const { api, method, url, headers, body } = request
  if (!(await pace(signal))) {
    return failed(
      'interrupted',
      `The request to ${api} was not made: the service is stopping, or the limit is used up.`,
    )
  }
  const answer = await deps.egress.request({
    method,
    url,
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    timeoutMs: deps.timeoutMs,
    bodyBytesMax: request.bodyBytesMax ?? BODY_BYTES_MAX,
    gunzip: request.gunzip ?? true,
    signal,
  })
  const isWrite = method !== 'GET'
  if (answer.kind === 'failed') {
    const unsure = isWrite && !UNSENT.includes(answer.reason) ? { mayHaveApplied: true as const } : {}
    if (answer.reason === 'interrupted') {
      return failed('interrupted', `The request to ${api} was interrupted.`, unsure)
    }
    const detail = `${api} cannot be reached (${answer.reason}): ${answer.detail}`
    return failed('unavailable', detail, { status: answer.status, ...unsure })
  }
  const { status } = answer
  if (status >= 500) {
    const retryAfterMs = retryAfterOf(answer.headers)
    return failed('unavailable', `${api} failed with status ${status}.`, {
      status,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
      ...(isWrite ? { mayHaveApplied: true as const } : {}),
    })
  }
  if (status >= 300 && status < 400) {
    const location = (answer.headers.location ?? 'nowhere').slice(0, 200)
    return changedAnswer(api, `it redirects to ${location}`, answer)
  }
  return {
    kind: 'answered',
    status,
    headers: answer.headers,
    body: answer.body,
    truncated: answer.truncated,
  }
}

/** The store's `Retry-After`; null without one. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | null {
  return retryAfterMsOf(headers, { maxMs: STORE_RETRY_AFTER_MS_MAX, now: null })
}

export function changedAnswer(
  api: string,
  reason: string,
  answer: { readonly status: number; readonly body: Buffer },
): OfficialFailure {
  const raw = rawAnswer(answer.body.toString('utf8'))
  return failed('changed', `The response from ${api} does not have the documented format: ${reason}.`, {
    status: answer.status,
    raw,
  })
}

/** The JSON of an answer; undefined when it is none. */
export function jsonOf(answer: { readonly body: Buffer }): unknown {
  try {
    return jsonParser()(answer.body.toString('utf8'))
  } catch {
    return undefined
  }
}
