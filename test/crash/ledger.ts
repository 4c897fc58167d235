import { createHash } from 'node:crypto'
import { type WebhookEvent, webhookEvent } from '../../src/contract/webhook.ts'
import { signatureOf } from '../support/receiver.ts'

/** One request at the receiver; instants are in real time. */
export type Receipt = {
  readonly eventId: string
  readonly hook: string
  readonly startedAtMs: number
  /** When its response was sent or its connection closed; null while it is under way. */
  endedAtMs: number | null
  /** The response was a 2xx. */
  accepted: boolean
}

export type LedgerHook = { readonly id: string; readonly secret: string }

/** The expected event's key: `<hook>/<review id>` or `<hook>/<rating>/<count>`. */
export function keyOf(hook: string, event: WebhookEvent): string {
  return event.event_type === 'review.created'
    ? `${hook}/${event.review_id}`
    : `${hook}/${event.current_rating}/${event.rating_count}`
}

/**
 * The expected and the received events. Every request is checked at once: it must be signed, valid, expected, and have
 * the same bytes as all requests with its `event_id`.
 */
export type Ledger = {
  readonly trust: (hook: string, known: LedgerHook) => void
  readonly expect: (key: string) => void
  /** Records a request. Returns null and records a violation when it is not expected. */
  readonly receive: (hook: string, signature: string, body: Buffer) => Receipt | null
  readonly accept: (receipt: Receipt) => void
  readonly isAccepted: (key: string) => boolean
  readonly missing: () => string[]
  readonly expected: () => number
  readonly receipts: () => readonly Receipt[]
  /** The violations, one sentence each. */
  readonly violations: () => readonly string[]
}

export function createLedger(): Ledger {
  const hooks = new Map<string, LedgerHook>()
  const expected = new Set<string>()
  const missing = new Set<string>()
  const receipts: Receipt[] = []
  const bodies = new Map<string, string>()
  const keys = new Map<string, string>()
  const eventOfKey = new Map<string, string>()
  const violations: string[] = []

  const wrong = (what: string) => {
    violations.push(what)
    return null
  }
  return {
    trust: (hook, known) => void hooks.set(hook, known),
    expect: (key) => {
      expected.add(key)
      missing.add(key)
    },
    receive(hook, signature, body) {
      const known = hooks.get(hook)
      if (known === undefined) return wrong(`A request came for ${hook}, which nobody made.`)
      if (signature !== signatureOf(body, known.secret)) return wrong(`${hook}: the signature is wrong.`)
      const parsed = webhookEvent.safeParse(JSON.parse(body.toString('utf8')))
      if (!parsed.success) return wrong(`${hook}: ${parsed.error.message}`)
      const event = parsed.data
      const key = keyOf(hook, event)
      if (event.subscriber_id !== known.id) return wrong(`${key} is addressed to ${event.subscriber_id}.`)
      if (!expected.has(key)) return wrong(`${key} should not be: ${body.toString('utf8').slice(0, 300)}`)

      const bytes = createHash('sha256').update(body).digest('hex')
      const { event_id: eventId } = event
      if ((bodies.get(eventId) ?? bytes) !== bytes) return wrong(`${key} came with two different bodies.`)
      if ((eventOfKey.get(key) ?? eventId) !== eventId) return wrong(`${key} came with two event ids.`)
      bodies.set(eventId, bytes)
      keys.set(eventId, key)
      eventOfKey.set(key, eventId)
      const receipt: Receipt = { eventId, hook, startedAtMs: Date.now(), endedAtMs: null, accepted: false }
      receipts.push(receipt)
      return receipt
    },
    accept(receipt) {
      receipt.accepted = true
      missing.delete(keys.get(receipt.eventId) ?? '')
    },
    isAccepted: (key) => expected.has(key) && !missing.has(key),
    missing: () => [...missing],
    expected: () => expected.size,
    receipts: () => receipts,
    violations: () => violations,
  }
}
