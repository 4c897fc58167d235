import type { EventType, WebhookEvent } from './events.ts'
import { SAMPLES } from './samples.ts'
import { radarMac, standardMac, toBase64, toHex, utf8 } from './signature.ts'

/** Signs like the service, to test a receiver without a service. */

export type SignOptions = {
  /** The valid secrets of the hook, the current one first. Several during a rotation. */
  readonly secrets: readonly [string, ...string[]]
  /** Default: the `event_id` of the body. */
  readonly eventId?: string
  /** The time of the attempt; now by default. */
  readonly at?: Date
}

/** All headers that the service sends with this body. */
export async function sign(body: string, options: SignOptions): Promise<Record<string, string>> {
  const { secrets, at = new Date(), eventId = eventIdIn(body) } = options
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const bytes = utf8(body)
  const signatures = secrets.map(async (secret) =>
    toBase64(await standardMac(secret, eventId, timestamp, bytes)),
  )
  return {
    'content-type': 'application/json',
    'x-radar-event-id': eventId,
    'x-radar-signature': `sha256=${toHex(await radarMac(secrets[0], bytes))}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).map((signature) => `v1,${signature}`).join(' '),
  }
}

/** A request like those of the service, for handlers that take a `Request`. */
export async function signedRequest(
  url: string,
  event: WebhookEvent,
  options: SignOptions,
): Promise<Request> {
  const body = JSON.stringify(event)
  return new Request(url, { method: 'POST', body, headers: await sign(body, options) })
}

/** A new secret in the format of a hook's secret. */
export function newSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`
}

/** The sample event of the service, with `changes`. Each call returns a new object. */
export function sampleEvent<Type extends EventType>(
  type: Type,
  changes: Partial<Extract<WebhookEvent, { event_type: Type }>> = {},
): Extract<WebhookEvent, { event_type: Type }> {
  const sample: WebhookEvent = structuredClone(SAMPLES[type])
  return { ...sample, ...changes } as Extract<WebhookEvent, { event_type: Type }>
}

function eventIdIn(body: string): string {
  const event: unknown = JSON.parse(body)
  if (typeof event === 'object' && event !== null && 'event_id' in event) return String(event.event_id)
  throw new TypeError('The body has no event_id: set the option eventId.')
}
