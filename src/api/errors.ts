import { RateLimited } from '../operations/limits.ts'
import { LimitReached, StorageLocked, StorageUnavailable } from '../storage/port/errors.ts'

/** What a caller may be refused for, and the HTTP status of each: the one table. */
const STATUSES = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unprocessable: 422,
  media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const
export type RefusalCode = keyof typeof STATUSES

/** A request that is answered with a failure; `message` is a sentence fit for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

export type FailureAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Specification 2.5: this field and nothing else. */
  readonly body: { readonly error: string }
  /** A bug of ours: to be logged with its error. */
  readonly internal: boolean
}

/** Seconds after which asking again makes sense; chosen: the pool and the loops retry within this. */
const UNAVAILABLE_RETRY_S = 5

/** What Fastify refuses by itself before a handler runs; its other errors are bugs. */
const FASTIFY_REFUSALS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large: at most 65536 bytes are taken.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type', 'The Content-Type must be application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['invalid', 'The path is not a valid URL path: a % must be followed by two hex digits.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this path.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not_found', 'There is nothing at this path.'],
}

/** 409, not 429: waiting does not help. */
const LIMITS_REACHED: Readonly<Record<LimitReached['what'], (max: number) => string>> = {
  hooks: (max) =>
    `The account has reached its limit of ${max} hooks. Remove one, or ask the operator to raise RADAR_ACCOUNT_HOOKS_MAX.`,
  storefronts: (max) =>
    `The account has reached its limit of ${max} tracked storefronts (each app counts once for each storefront). Stop tracking one, or ask the operator to raise RADAR_ACCOUNT_STOREFRONTS_MAX.`,
}

/** The answer to whatever was thrown. The text of anything but a refusal never reaches the caller. */
export function failureAnswer(error: unknown, requestId: string): FailureAnswer {
  if (error instanceof Refusal) return answer(error.code, error.message, error.headers)
  if (error instanceof StorageUnavailable) {
    const state = error instanceof StorageLocked ? 'is locked by another process' : 'does not answer now'
    return answer('unavailable', `The database ${state}; try again in a few seconds.`, {
      'retry-after': String(UNAVAILABLE_RETRY_S),
    })
  }
  if (error instanceof RateLimited) {
    return answer('rate_limited', error.message, { 'retry-after': String(error.retryAfterS) })
  }
  if (error instanceof LimitReached) return answer('conflict', LIMITS_REACHED[error.what](error.max))
  const refusal = FASTIFY_REFUSALS[codeOf(error)]
  if (refusal !== undefined) return answer(...refusal)
  return answer('internal', `Something went wrong on our side; the log has it under ${requestId}.`)
}

function answer(
  code: RefusalCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): FailureAnswer {
  return { status: STATUSES[code], headers, body: { error }, internal: code === 'internal' }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
