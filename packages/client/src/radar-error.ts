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
  // Proxies answer 502 or 504 if the service is down.
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
} as const

/** `unreachable`: no response. `timed_out`: no response in time. `unexpected_answer`: a response of another program. */
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

/** A failed call. The message is the service's error, or says why there was no response. */
export class RadarError extends Error {
  override readonly name = 'RadarError'
  /** Codes never change their meaning. */
  readonly code: RadarErrorCode
  /** The HTTP status, or null without a response. */
  readonly status: number | null
  /** The missing or invalid field, or null if the message names none. */
  readonly field: string | null
  /** The allowed values of `field` in words, or null if the message names none. */
  readonly allowed: string | null
  /** The wait that the service asks for before a retry, or null. */
  readonly retryAfterMs: number | null

  constructor(code: RadarErrorCode, message: string, { status, retryAfterMs, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
    const { field, allowed } = status === 400 ? fieldIn(message) : { field: null, allowed: null }
    this.field = field
    this.allowed = allowed
  }
}

/** The error for an unsuccessful response. */
export async function errorOf(response: Response): Promise<RadarError> {
  const { status } = response
  const message = errorMessageIn(await response.text())
  const retryAfter = response.headers.get('retry-after') ?? ''
  const retryAfterMs = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null
  if (message === null) return notFromApi(status, retryAfterMs)
  const code = status in CODES ? CODES[status as keyof typeof CODES] : 'unexpected_answer'
  return new RadarError(code, message, { status, retryAfterMs })
}

/** The error for a response of a proxy or another program. */
export function notFromApi(status: number, retryAfterMs: number | null = null): RadarError {
  const code = status === 502 || status === 503 || status === 504 ? 'unavailable' : 'unexpected_answer'
  const message = `HTTP ${status} from another program than Review Radar. Check the base URL.`
  return new RadarError(code, message, { status, retryAfterMs })
}

/** The `error` field, which every error response of the API has, or null. */
function errorMessageIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
      return body.error
    }
  } catch {
    // Not JSON: the response of a proxy.
  }
  return null
}

/** Parses the two forms of validation messages: "stars must be a list such as 1,2, not 9." and "q is required: it must be text." */
function fieldIn(message: string): { readonly field: string | null; readonly allowed: string | null } {
  const [, field, isRequired, allowed] =
    /^([a-z][a-z0-9_.]*) (is required: it )?must be (.+)\.$/s.exec(message) ?? []
  if (field === undefined || allowed === undefined) return { field: null, allowed: null }
  return { field, allowed: isRequired === undefined ? (allowed.split(', not ', 1)[0] ?? allowed) : allowed }
}
