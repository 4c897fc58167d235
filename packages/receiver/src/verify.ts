import type { WebhookEvent } from './events.ts'
import { type RequestHeaders, requiredHeader } from './headers.ts'
import { ReceiverError } from './receiver-error.ts'
import { type Bytes, fromBase64, fromHex, isEqual, radarMac, standardMac, utf8 } from './signature.ts'

/** The body as it came. A string is taken as its UTF-8 bytes; parsed JSON has lost them. */
export type RawBody = Uint8Array | ArrayBuffer | string

type Secrets =
  /** The secret of the hook, whole: `whsec_…`. */
  | { readonly secret: string; readonly secrets?: undefined }
  /** Several during a rotation: one of them must match. */
  | { readonly secrets: readonly string[]; readonly secret?: undefined }

export type VerifyOptions = Secrets & {
  /**
   * How many seconds the time of signing may differ from now, 300 by default. Every attempt is signed anew, so retries
   * and replays pass. `Infinity` leaves it unchecked.
   */
  readonly toleranceS?: number
  /**
   * `standard`, the default, checks `webhook-signature`: it covers the time, and has a signature for each secret that is
   * valid during a rotation. `radar` checks `x-radar-signature`, for requests that lost the other headers on their way.
   * It covers the body alone, so the time is not checked.
   */
  readonly scheme?: 'standard' | 'radar'
  /** Milliseconds since the epoch; the clock of the machine by default. */
  readonly now?: () => number
}

const TOLERANCE_S = 300
/** The service sends one for each valid secret, at most three; a sender of many would make the check slow. */
const SIGNATURES_MAX = 10
const SCHEMA_VERSION = 2
const EVENT_TYPES: readonly unknown[] = [
  'review.created',
  'rating.dropped',
] satisfies WebhookEvent['event_type'][]

/**
 * The event of a request, after its signature and its time were checked. Rejects with `ReceiverError`, whose `code`
 * says why and whose `status` is the HTTP status to answer with. Dedupe on `event_id`: delivery is at least once.
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
 * Checks signature and time alone, for other payloads of the service such as those of the operational webhook. Rejects
 * as `verify` does.
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
    throw new ReceiverError('invalid_option', 'toleranceS must be a number of seconds from 0.')
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

/** The time of signing, in seconds since the epoch. */
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
  // Other versions than v1 may stand beside it.
  const given = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, SIGNATURES_MAX)
    .map((part) => fromBase64(part.slice('v1,'.length)))
    .filter((signature) => signature !== null)
  if (given.length === 0) {
    throw new ReceiverError('malformed_header', 'The header webhook-signature must have "v1," and base64.')
  }
  const macs = await Promise.all(secrets.map((secret) => standardMac(secret, id, timestamp, body)))
  requireMatch(macs, given)
  return Number(timestamp)
}

function requireMatch(macs: readonly Bytes[], given: readonly Bytes[]): void {
  const matches = macs.flatMap((mac) => given.map((signature) => isEqual(mac, signature)))
  if (matches.includes(true)) return
  throw new ReceiverError(
    'signature_mismatch',
    'No signature matches: another secret was used, or the body was changed on the way.',
  )
}

function checkTime(signedAtS: number, toleranceS: number, nowMs: number): void {
  const ageS = Math.floor(nowMs / 1_000) - signedAtS
  if (ageS > toleranceS) {
    throw new ReceiverError('timestamp_too_old', `It was signed ${ageS} s ago; ${toleranceS} s are allowed.`)
  }
  if (-ageS > toleranceS) {
    throw new ReceiverError(
      'timestamp_too_new',
      `It was signed ${-ageS} s ahead of this machine's clock; ${toleranceS} s are allowed.`,
    )
  }
}

function secretsOf(options: VerifyOptions): readonly string[] {
  const secrets = options.secrets ?? [options.secret]
  // JavaScript callers may pass an environment variable that is not set.
  if (secrets.length > 0 && secrets.every((secret) => typeof secret === 'string')) return secrets
  throw new ReceiverError('invalid_secret', 'A secret is missing: give the secret of the hook, or several.')
}

function bytesOf(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  // Also for Buffer, and for bytes that share their memory.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody)
  throw new ReceiverError(
    'body_not_raw',
    'The raw bytes of the body are needed, as they came. Something parsed it before: JSON written again has other bytes.',
  )
}

function eventOf(body: Bytes): WebhookEvent {
  const event = jsonObjectIn(body)
  if (!EVENT_TYPES.includes(event.event_type)) {
    throw new ReceiverError('unknown_event_type', `The event type ${shown(event.event_type)} is not known.`)
  }
  if (event.schema_version !== SCHEMA_VERSION) {
    throw new ReceiverError(
      'unknown_schema_version',
      `The schema_version is ${shown(event.schema_version)}; this version knows ${SCHEMA_VERSION}.`,
    )
  }
  // The service signed it, and it checks its events against the same types.
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
  throw new ReceiverError('invalid_json', 'The body is signed, but it is no JSON object.')
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 60)
}
