/** Request parameters that some servers reject. `max_completion_tokens` replaces a rejected `max_tokens`. */
export const PARAMETERS = ['temperature', 'max_tokens', 'max_completion_tokens'] as const
export type Parameter = (typeof PARAMETERS)[number]

/** The cause of a 400 or 422. */
export type BadRequest =
  | { readonly kind: 'parameter'; readonly parameter: Parameter }
  | { readonly kind: 'format' }
  /** A content filter rejected the text. Other reviews may be fine. */
  | { readonly kind: 'content' }
  /** The server does not name a cause. */
  | { readonly kind: 'unknown' }

/** Reads only the start of an error, since the rest may quote the request. */
const ERROR_CHARS_MAX = 2_000

const CONTENT = /content.?(?:filter|policy|management)|moderation|safety|responsible.?ai|flagged|prohibited/i
const FORMAT = /response.?format|json.?schema|json.?object|structured|grammar|guided/i

/**
 * Finds the cause in the body of a 400 or 422. `sent`: the request's parameters; `hasFormat`: whether it had a
 * `response_format`.
 */
export function badRequest(body: string, sent: readonly Parameter[], hasFormat: boolean): BadRequest {
  const error = body.slice(0, ERROR_CHARS_MAX)
  const words = new Set(error.toLowerCase().split(/[^a-z_]+/))
  const parameter = sent.find((name) => words.has(name))
  if (hasFormat && FORMAT.test(error)) return { kind: 'format' }
  if (CONTENT.test(error)) return { kind: 'content' }
  return parameter === undefined ? { kind: 'unknown' } : { kind: 'parameter', parameter }
}

/** The strictest format is tried again once an hour: the server may have been updated. */
const RETRY_STRICT_FORMAT_MS = 60 * 60_000

/** Known limits of a server, in memory. */
export function createServerLimits() {
  let settledAt = 0
  let settledAtMs = 0
  const rejected = new Set<Parameter>()
  return {
    /** The first format to request. */
    outputFormatAt: (nowMs: number): number =>
      nowMs - settledAtMs >= RETRY_STRICT_FORMAT_MS ? 0 : settledAt,
    /** A weaker format worked after stricter ones were rejected. */
    settleOn: (outputFormatAt: number, nowMs: number): void => {
      settledAt = outputFormatAt
      settledAtMs = nowMs
    },
    parameters: (): readonly Parameter[] => {
      const length = rejected.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens'
      return (['temperature', length] as const).filter((name) => !rejected.has(name))
    },
    drop: (parameter: Parameter): void => void rejected.add(parameter),
  }
}
