import { createHash } from 'node:crypto'
import { type WebhookEvent, webhookEvent } from '../../src/contract/webhook.ts'
import { eventIdOf } from '../../src/model/occurrence.ts'
import { signatureOf } from '../support/receiver.ts'
import { publicReviewIdOf } from './connected.ts'

/** One request at the receiver. Instants are in real time. */
export type Receipt = {
  readonly eventId: string
  readonly hook: string
  readonly startedAtMs: number
  /** When the response was sent or the connection closed; null while in progress. */
  endedAtMs: number | null
  /** Whether the response was a 2xx. */
  accepted: boolean
}

export type LedgerHook = { readonly id: string; readonly secret: string }

/** The key of an event: `<hook>/<review id of the public pages>` or `<hook>/<rating>/<count>`. */
export function keyOf(hook: string, event: WebhookEvent): string {
  if (event.event_type === 'review.created')
    return `${hook}/${publicReviewIdOf(event.store, event.review_id)}`
  if (event.event_type === 'reviews.spiked') return `${hook}/${event.occurrence_id}`
  return `${hook}/${event.current_rating}/${event.rating_count}`
}

/**
 * The expected and the received events. Checks every request on arrival: it must be signed, valid and expected, and have
 * the same bytes as other requests with its `event_id`.
 */
export type Ledger = {
  readonly setSecret: (hook: string, known: LedgerHook) => void
  /**
   * `fingerprint`: of the review, by which messages refer to it. `isPulled`: the puller gets it too, which is wrong for a second recipient.
   */
  readonly expect: (key: string, fingerprint?: string, isPulled?: boolean) => void
  /** Records a request. If it is invalid or unexpected, records a violation and returns null. */
  readonly receive: (hook: string, signature: string, body: Buffer) => Receipt | null
  /**
   * Records a message of a formatted destination, with each event that it shows. If one is unexpected, records a violation and returns
   * null.
   */
  readonly receiveMessage: (hook: string, message: string) => readonly Receipt[] | null
  readonly accept: (receipt: Receipt) => void
  /** Records a pulled event. A second time is a violation. */
  readonly pull: (event: WebhookEvent) => void
  readonly isAccepted: (key: string) => boolean
  /** Expected events that were not accepted, or not pulled. */
  readonly missing: () => string[]
  readonly missingCount: () => number
  readonly expected: () => number
  readonly receipts: () => readonly Receipt[]
  readonly violate: (sentence: string) => void
  /** The violations, one sentence each. */
  readonly violations: () => readonly string[]
}

/** Hooks without a receiver: their events are only pulled. */
export const PULLED_PREFIX = 'pull-'
function isPulledOnly(hook: string): boolean {
  return hook.startsWith(PULLED_PREFIX)
}

/** The link of a review to the console. */
const REVIEW_LINK = /\/reviews\/([0-9a-f]{64})/g

function hookOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

export function createLedger(): Ledger {
  const hooks = new Map<string, LedgerHook>()
  const expected = new Set<string>()
  const missing = new Set<string>()
  const notPulled = new Set<string>()
  const pulled = new Set<string>()
  const receipts: Receipt[] = []
  const bodies = new Map<string, string>()
  const keys = new Map<string, string>()
  const eventOfKey = new Map<string, string>()
  const keyOfMessage = new Map<string, string>()
  const violations: string[] = []

  const reject = (what: string) => {
    violations.push(what)
    return null
  }
  return {
    setSecret: (hook, known) => void hooks.set(hook, known),
    expect: (key, fingerprint, isPulled = true) => {
      expected.add(key)
      if (fingerprint !== undefined) keyOfMessage.set(`${hookOf(key)}/${fingerprint}`, key)
      missing.add(key)
      if (isPulled) notPulled.add(key)
    },
    receive(hook, signature, body) {
      const known = hooks.get(hook)
      if (known === undefined) return reject(`A request arrived for the unknown hook ${hook}.`)
      if (signature !== signatureOf(body, known.secret)) return reject(`${hook}: the signature is invalid.`)
      const parsed = webhookEvent.safeParse(JSON.parse(body.toString('utf8')))
      if (!parsed.success) return reject(`${hook}: ${parsed.error.message}`)
      const event = parsed.data
      const key = keyOf(hook, event)
      if (event.subscriber_id !== known.id) return reject(`${key} is addressed to ${event.subscriber_id}.`)
      if (!expected.has(key)) return reject(`${key} is unexpected: ${body.toString('utf8').slice(0, 300)}`)

      const bytes = createHash('sha256').update(body).digest('hex')
      const { event_id: eventId } = event
      if ((bodies.get(eventId) ?? bytes) !== bytes) return reject(`${key} arrived with two different bodies.`)
      if ((eventOfKey.get(key) ?? eventId) !== eventId) return reject(`${key} arrived with two event IDs.`)
      bodies.set(eventId, bytes)
      keys.set(`${hook} ${eventId}`, key)
      eventOfKey.set(key, eventId)
      const receipt: Receipt = { eventId, hook, startedAtMs: Date.now(), endedAtMs: null, accepted: false }
      receipts.push(receipt)
      return receipt
    },
    receiveMessage(hook, message) {
      const known = hooks.get(hook)
      if (known === undefined) return reject(`A message arrived for the unknown hook ${hook}.`)
      if (/\band \d+ more\b/.test(message))
        return reject(`${hook}: a message does not show all of its events.`)
      const fingerprints = new Set([...message.matchAll(REVIEW_LINK)].map(([, found = '']) => found))
      if (fingerprints.size === 0) return reject(`${hook}: a message shows no review.`)
      const made: Receipt[] = []
      for (const fingerprint of fingerprints) {
        const key = keyOfMessage.get(`${hook}/${fingerprint}`)
        if (key === undefined) return reject(`${hook}: a message shows an unexpected review.`)
        const eventId = eventIdOf(known.id, fingerprint)
        keys.set(`${hook} ${eventId}`, key)
        made.push({ eventId, hook, startedAtMs: Date.now(), endedAtMs: null, accepted: false })
      }
      receipts.push(...made)
      return made
    },
    accept(receipt) {
      receipt.accepted = true
      missing.delete(keys.get(`${receipt.hook} ${receipt.eventId}`) ?? '')
    },
    pull(event) {
      const [hook = ''] = [...hooks].find(([, { id }]) => id === event.subscriber_id) ?? []
      const key = keyOf(hook, event)
      if (pulled.has(event.event_id)) reject(`${key} was pulled twice.`)
      if (!expected.has(key)) reject(`${key} was pulled and is unexpected.`)
      pulled.add(event.event_id)
      notPulled.delete(key)
      if (isPulledOnly(hook)) missing.delete(key)
    },
    isAccepted: (key) => expected.has(key) && !missing.has(key),
    missing: () => [
      ...missing,
      ...[...notPulled].filter((key) => !missing.has(key)).map((key) => `${key} (not pulled)`),
    ],
    missingCount: () => missing.size,
    expected: () => expected.size,
    violate: (sentence) => void violations.push(sentence),
    receipts: () => receipts,
    violations: () => violations,
  }
}
