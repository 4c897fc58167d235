/** The HTTP status to answer with, by the code of the error. Codes never change their meaning. */
const STATUSES = {
  /** A signature header is not there. */
  missing_header: 401,
  /** A signature header has another form than the service sends. */
  malformed_header: 401,
  /** No signature was made with one of the secrets over these bytes. */
  signature_mismatch: 401,
  /** Signed longer ago than the tolerance: a request sent again by somebody, or a clock that is wrong. */
  timestamp_too_old: 401,
  /** Signed later than now by more than the tolerance: a clock is wrong. */
  timestamp_too_new: 401,
  /** The body is larger than any event. */
  body_too_large: 413,
  /** The bytes are signed, but no JSON object. */
  invalid_json: 400,
  /** Signed, but of a type that this version does not know. */
  unknown_event_type: 400,
  /** Signed, but of a `schema_version` that this version does not know. */
  unknown_schema_version: 400,
  /** The receiver is set up wrongly: a secret is missing or is no secret of a hook. */
  invalid_secret: 500,
  /** The receiver is set up wrongly: an option is not allowed. */
  invalid_option: 500,
  /** The receiver is set up wrongly: something parsed the body before, so its bytes are gone. */
  body_not_raw: 500,
} as const

export type ReceiverErrorCode = keyof typeof STATUSES

/** A request was refused, or the receiver is set up wrongly. The message is a sentence without secrets. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  readonly code: ReceiverErrorCode
  /** The HTTP status to answer with: 401, 400 or 413 for a request, 500 for a wrong setup. */
  readonly status: number

  constructor(code: ReceiverErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = STATUSES[code]
  }
}
