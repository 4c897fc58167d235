/** The HTTP status to answer, by error code. Codes never change their meaning. */
const STATUSES = {
  /** A signature header is missing. */
  missing_header: 401,
  /** A signature header has an invalid format. */
  malformed_header: 401,
  /** No signature matches the body and one of the secrets. */
  signature_mismatch: 401,
  /** Signed longer ago than the tolerance: a replay attack, or a wrong clock. */
  timestamp_too_old: 401,
  /** Signed further in the future than the tolerance: a wrong clock. */
  timestamp_too_new: 401,
  /** The body is larger than any event. */
  body_too_large: 413,
  /** Signed, but not a JSON object. */
  invalid_json: 400,
  /** Signed, but with an event type unknown to this version. */
  unknown_event_type: 400,
  /** Signed, but with a `schema_version` unknown to this version. */
  unknown_schema_version: 400,
  /** Misconfigured: a secret is missing or invalid. */
  invalid_secret: 500,
  /** Misconfigured: an option is invalid. */
  invalid_option: 500,
  /** Misconfigured: other code parsed the body, so its raw bytes are lost. */
  body_not_raw: 500,
} as const

export type ReceiverErrorCode = keyof typeof STATUSES

/** The request was rejected, or the receiver is misconfigured. The message contains no secrets. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  readonly code: ReceiverErrorCode
  /** The HTTP status to answer: 400, 401 or 413 for a rejected request, 500 for a misconfigured receiver. */
  readonly status: number

  constructor(code: ReceiverErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = STATUSES[code]
  }
}
