/** By status; other statuses are `unexpected_answer`. */
const CODES = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'media_type',
  422: 'key_reused',
  429: 'rate_limited',
  500: 'internal',
  // Proxies answer 502 and 504 for a service that does not.
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
} as const

/** `unreachable`: there was no answer. `timed_out`: not in time. `unexpected_answer`: not from the API. */
export type RadarErrorCode =
  | (typeof CODES)[keyof typeof CODES]
  | 'unreachable'
  | 'timed_out'
  | 'unexpected_answer'

type Details = {
  readonly status?: number
  readonly retryAfterMs?: number | null
  readonly cause?: unknown
}

/** A call failed. The message is the sentence of the service, or says why there was none. */
export class RadarError extends Error {
  override readonly name = 'RadarError'
  /** Codes never change their meaning. */
  readonly code: RadarErrorCode
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The field or parameter that is missing or not allowed; null when the message names none. */
  readonly field: string | null
  /** What `field` may be, in words; null when the message does not say. */
  readonly allowed: string | null
  /** How long the service asks to wait before another try; null when it does not. */
  readonly retryAfterMs: number | null

  constructor(code: RadarErrorCode, message: string, { status, retryAfterMs, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
    const { field, allowed } = status === 400 ? namedIn(message) : { field: null, allowed: null }
    this.field = field
    this.allowed = allowed
  }
}

/** The error of an answer that is no success. */
export async function errorOf(answer: Response): Promise<RadarError> {
  const { status } = answer
  const sentence = sentenceIn(await answer.text())
  const retryAfter = answer.headers.get('retry-after') ?? ''
  const retryAfterMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null
  if (sentence === null) return notFromApi(status, retryAfterMs)
  const code = status in CODES ? CODES[status as keyof typeof CODES] : 'unexpected_answer'
  return new RadarError(code, sentence, { status, retryAfterMs })
}

/** A proxy or another program answered. */
export function notFromApi(status: number, retryAfterMs: number | null = null): RadarError {
  const code = status === 502 || status === 503 || status === 504 ? 'unavailable' : 'unexpected_answer'
  const message = `HTTP ${status}, but not from the API of Review Radar: is the base URL right?`
  return new RadarError(code, message, { status, retryAfterMs })
}

/** The API answers every failure with this field; null for another answer. */
function sentenceIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
      return body.error
    }
  } catch {
    // A proxy answered.
  }
  return null
}

/** "stars must be a list such as 1,2, not 9." and "q is required: it must be text.": the form of all such messages. */
function namedIn(message: string): { readonly field: string | null; readonly allowed: string | null } {
  const [, field, required, given] =
    /^([a-z][a-z0-9_.]*) (?:is required: it must be (.+)\.|must be (.+?)(?:, not .+)?\.)$/s.exec(message) ??
    []
  return { field: field ?? null, allowed: required ?? given ?? null }
}
