import { snakeCase } from '../contract/field.ts'
import { BODY_BYTES_MAX } from '../contract/route.ts'
import { type OperationError, type OperationErrorCode, operationErrorOf } from '../operations/error.ts'

/** The HTTP status of each error code. */
const STATUSES = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  key_reused: 422,
  media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<OperationErrorCode, number> & Record<string, number>
export type ApiErrorCode = keyof typeof STATUSES

/** What is wrong with each invalid field, without the name of the field. */
export type FieldProblems = Readonly<Record<string, string>>

/** An error with the status of `code`; its `message`, a sentence, is returned to the caller. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly fields: FieldProblems

  constructor(
    code: ApiErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    fields: FieldProblems = {},
  ) {
    super(message)
    this.code = code
    this.headers = headers
    this.fields = fields
  }
}

export type FailureAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: string }
  /** The invalid fields of the request. */
  readonly fields: FieldProblems
  /** A bug, logged with its error. */
  readonly internal: boolean
}

/** Errors that Fastify throws for bad requests, before a handler runs. Its other errors are bugs. */
const FASTIFY_ERRORS: Readonly<Record<string, readonly [ApiErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type', 'The Content-Type must be application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'The length of the body differs from Content-Length.'],
  FST_ERR_BAD_URL: ['invalid', 'The path is not a valid URL path: a % must be followed by two hex digits.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this path.'],
  FST_ERR_ASYNC_CONSTRAINT: ['not_found', 'There is nothing at this path.'],
}

/** The response to an error. The text of an internal error never reaches the caller. */
export function failureAnswer(
  error: unknown,
  requestId: string,
  bodyBytesMax = BODY_BYTES_MAX,
): FailureAnswer {
  if (error instanceof ApiError)
    return { ...answer(error.code, error.message, error.headers), fields: error.fields }
  const refused = operationErrorOf(error)
  if (refused !== null) return operationAnswer(refused)
  if (codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return answer('too_large', `The body is too large: at most ${bodyBytesMax} bytes are accepted.`)
  }
  const refusal = FASTIFY_ERRORS[codeOf(error)]
  if (refusal !== undefined) return answer(...refusal)
  return answer('internal', `Internal error. The log has the details under ${requestId}.`)
}

/** Fields have the names of the REST API: "target_url must be …". */
function operationAnswer(error: OperationError): FailureAnswer {
  const { code, problem, retryAfterS } = error
  const field = error.field === null ? null : snakeCase(error.field)
  const sentence = field === null ? problem : `${field} ${problem}`
  const headers: Record<string, string> = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }
  return { ...answer(code, sentence, headers), fields: field === null ? {} : { [field]: problem } }
}

function answer(
  code: ApiErrorCode,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): FailureAnswer {
  return { status: STATUSES[code], headers, body: { error }, fields: {}, internal: code === 'internal' }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
