import type { WebhookEvent } from './events.ts'
import { type RequestHeaders, requiredHeader } from './headers.ts'
import { ReceiverError } from './receiver-error.ts'
import { type Bytes, fromBase64, fromHex, isEqual, radarMac, standardMac, utf8 } from './signature.ts'

/** The body as received, not parsed. A string stands for its UTF-8 bytes. */
export type RawBody = Uint8Array | ArrayBuffer | string

type Secrets =
  /** The complete secret of the hook: `whsec_…`. */
  | { readonly secret: string; readonly secrets?: undefined }
  /** Several secrets during a rotation. One of them must match. */
  | { readonly secrets: readonly string[]; readonly secret?: undefined }

export type VerifyOptions = Secrets & {
  /**
   * Maximum difference between the time of signing and now, in seconds; 300 by default. Every attempt has a new signature,
   * so retries and replays pass. `Infinity` turns the check off.
   */
  readonly toleranceS?: number
  /**
   * `standard`, the default, checks `webhook-signature`, which covers the time and has a signature per valid secret.
   * `radar` checks `x-radar-signature`, for requests without the other headers. It covers only the body, so the time is
   * not checked.
   */
  readonly scheme?: 'standard' | 'radar'
  /** The current time in milliseconds since the epoch. Default: the system clock. */
  readonly now?: () => number
}

const TOLERANCE_S = 300
/** The service sends one per valid secret, at most three. The limit keeps a request with many signatures cheap. */
const SIGNATURES_MAX = 10
const SCHEMA_VERSION = 2
const EVENT_TYPES: readonly unknown[] = [
  'review.created',
  'rating.dropped',
  'reviews.spiked',
  'rating.recovered',
] satisfies WebhookEvent['event_type'][]

/**
 * Checks the signature and the time of a request and returns its event. Rejects with `ReceiverError`: `code` is the
 * reason, and `status` the HTTP status to answer. Dedupe on `event_id`: delivery is at least once.
 */
export async function verify(
  rawBody: RawBody,
  headers: RequestHeaders,
  options: VerifyOptions,
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  await verifySignature(body, headers, options)
  return eventOf(body)
}

/**
 * Checks only the signature and the time, for other payloads of the service such as those of the operational webhook.
 * Rejects like `verify`.
 */
export async function verifySignature(
  rawBody: RawBody,
  headers: RequestHeaders,
  options: VerifyOptions,
): Promise<void> {
  const body = bytesOf(rawBody)
  const secrets = secretsOf(options)
  const toleranceS = options.toleranceS ?? TOLERANCE_S
  if (!(toleranceS >= 0)) {
    throw new ReceiverError('invalid_option', 'toleranceS must be a number of seconds, 0 or more.')
  }
  if (options.scheme === 'radar') return verifyRadar(body, headers, secrets)
  const timestamp = await verifyStandard(body, headers, secrets)
  checkTime(timestamp, toleranceS, (options.now ?? Date.now)())
}

async function verifyRadar(body: Bytes, headers: RequestHeaders, secrets: readonly string[]): Promise<void> {
  const header = requiredHeader(headers, 'x-radar-signature')
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header) ?? []
  if (hex === undefined) {
    throw new ReceiverError(
      'malformed_header',
      'The header x-radar-signature must be "sha256=" and 64 lowercase hex digits.',
    )
  }
  const macs = await Promise.all(secrets.map((secret) => radarMac(secret, body)))
  requireMatch(macs, [fromHex(hex)])
}

/** Returns the time of signing in seconds since the epoch. */
async function verifyStandard(
  body: Bytes,
  headers: RequestHeaders,
  secrets: readonly string[],
): Promise<number> {
  const id = requiredHeader(headers, 'webhook-id')
  const timestamp = requiredHeader(headers, 'webhook-timestamp')
  const header = requiredHeader(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new ReceiverError(
      'malformed_header',
      'The header webhook-timestamp must be seconds since the epoch.',
    )
  }
  // The header may also have signatures of other versions.
  const signatures = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, SIGNATURES_MAX)
    .map((part) => fromBase64(part.slice('v1,'.length)))
    .filter((signature) => signature !== null)
  if (signatures.length === 0) {
    throw new ReceiverError('malformed_header', 'The header webhook-signature must contain "v1," and base64.')
  }
  const macs = await Promise.all(secrets.map((secret) => standardMac(secret, id, timestamp, body)))
  requireMatch(macs, signatures)
  return Number(timestamp)
}

function requireMatch(macs: readonly Bytes[], signatures: readonly Bytes[]): void {
  const matches = macs.flatMap((mac) => signatures.map((signature) => isEqual(mac, signature)))
  if (matches.includes(true)) return
  throw new ReceiverError(
    'signature_mismatch',
    'No signature matches. Check the secret, and that nothing changes the body before verification.',
  )
}

function checkTime(signedAtS: number, toleranceS: number, nowMs: number): void {
  const ageS = Math.floor(nowMs / 1_000) - signedAtS
  if (ageS > toleranceS) {
    throw new ReceiverError(
      'timestamp_too_old',
      `The request was signed ${ageS} s ago; ${toleranceS} s are allowed.`,
    )
  }
  if (-ageS > toleranceS) {
    throw new ReceiverError(
      'timestamp_too_new',
      `The request was signed ${-ageS} s ahead of this machine's clock; ${toleranceS} s are allowed.`,
    )
  }
}

function secretsOf(options: VerifyOptions): readonly string[] {
  const secrets = options.secrets ?? [options.secret]
  // JavaScript callers may pass an environment variable that is not set.
  if (secrets.length > 0 && secrets.every((secret) => typeof secret === 'string')) return secrets
  throw new ReceiverError('invalid_secret', 'The secret is missing. Set secret or secrets.')
}

function bytesOf(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  // Includes Buffer and views of a larger buffer.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody)
  throw new ReceiverError(
    'body_not_raw',
    'Verification needs the raw body, but it was parsed before. Read the raw bytes before any JSON parser.',
  )
}

function eventOf(body: Bytes): WebhookEvent {
  const event = jsonObjectIn(body)
  if (!EVENT_TYPES.includes(event.event_type)) {
    throw new ReceiverError('unknown_event_type', `The event type ${preview(event.event_type)} is unknown.`)
  }
  if (event.schema_version !== SCHEMA_VERSION) {
    throw new ReceiverError(
      'unknown_schema_version',
      `The schema_version is ${preview(event.schema_version)}; this version supports ${SCHEMA_VERSION}.`,
    )
  }
  // The service signed the event and validates its events against the same types.
  return event as WebhookEvent
}

function jsonObjectIn(body: Bytes): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>
    }
  } catch {
    // Neither UTF-8 nor JSON.
  }
  throw new ReceiverError('invalid_json', 'The body is signed, but it is not a JSON object.')
}

function preview(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 60)
}
