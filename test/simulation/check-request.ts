import { createHmac } from 'node:crypto'
import type { EgressRequest } from '../../src/runtime/egress/egress.ts'
import {
  type EventEntry,
  type HookEntry,
  type Ledger,
  listingKey,
  publicIdOf,
  reviewKey,
  sourceKey,
} from './ledger.ts'
import { notBeforeMsOf } from './look-back.ts'

/** How long after its removal a hook may still get a delivery in flight. */
const REMOVED_GRACE_MS = 60_000

type Payload = {
  readonly event_id: string
  readonly event_type: string
  readonly store: 'apple' | 'google'
  readonly app_id: string
  readonly subscriber_id: string
  readonly occurrence_id: string
  readonly occurred_at: string
  readonly review_id?: string
  readonly rating?: number
  readonly country?: string
  readonly previous_rating?: number
  readonly current_rating?: number
  readonly rating_count?: number
}

/** Checks a request to a receiver against the ledger and records it. */
export function checkRequest(
  ledger: Ledger,
  request: EgressRequest,
  hookId: string,
  nowMs: number,
): EventEntry | null {
  const hook = ledger.hooks.get(hookId)
  const eventId = request.headers['x-radar-event-id'] ?? ''
  const body = String(request.body)
  if (hook === undefined) {
    ledger.violate('unknown_hook', `a request to ${request.url}, which is no hook's target`)
    return null
  }
  if (hook.state === 'deleted' && nowMs - hook.changedAtMs > REMOVED_GRACE_MS)
    ledger.violate('sent_after_removal', `hook ${hookId} was removed ${nowMs - hook.changedAtMs} ms ago`)
  checkSignature(ledger, hook, request, body)

  const known = ledger.events.get(eventId)
  if (known !== undefined) {
    if (known.body !== body)
      ledger.violate('one_body', `event ${eventId} has two bodies`, { first: known.body, second: body })
    if (known.hookId !== hookId)
      ledger.violate('isolation', `event ${eventId} of hook ${known.hookId} went to hook ${hookId}`)
    known.requests += 1
    return known
  }
  const payload = JSON.parse(body) as Payload
  const about = checkPayload(ledger, hook, payload, eventId)
  const key = `${hookId} ${about}`
  const other = ledger.byOccurrence.get(key)
  if (other !== undefined)
    ledger.violate('one_occurrence', `hook ${hookId} got ${about} as ${other} and as ${eventId}`)
  ledger.byOccurrence.set(key, eventId)
  const entry: EventEntry = {
    eventId,
    hookId,
    body,
    about,
    firstRequestAtMs: nowMs,
    requests: 1,
    accepted: false,
    settled: false,
  }
  ledger.events.set(eventId, entry)
  return entry
}

function checkSignature(ledger: Ledger, hook: HookEntry, request: EgressRequest, body: string): void {
  const signature = request.headers['x-radar-signature']
  const good = hook.secrets.some(
    (secret) => signature === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  )
  if (!good) ledger.violate('signature', `no secret of hook ${hook.id} produces the signature ${signature}`)
}

/** Returns the subject of the event: a review id, or the observation of a drop. */
function checkPayload(ledger: Ledger, hook: HookEntry, payload: Payload, eventId: string): string {
  const { watch } = hook
  const wrong = (what: string) =>
    ledger.violate('wrong_event', `${what} of an event of hook ${hook.id}`, { payload, watch })
  if (payload.event_id !== eventId) wrong('event_id')
  if (payload.subscriber_id !== hook.id)
    ledger.violate('isolation', `hook ${hook.id} got an event of hook ${payload.subscriber_id}`)
  if (payload.store !== watch.store || payload.app_id !== watch.appId) wrong('the app')
  if (payload.event_type !== watch.eventType) wrong('event_type')
  const notBeforeMs = notBeforeMsOf(ledger, hook.id, eventId)
  if (Date.parse(payload.occurred_at) < notBeforeMs)
    ledger.violate('event_before_hook', `${payload.occurred_at} is before hook ${hook.id}`, { payload, hook })
  if (payload.event_type === 'rating.dropped') return checkDrop(ledger, hook, payload)

  const shownId = payload.review_id ?? ''
  const reviewId = publicIdOf(ledger, payload.store, payload.app_id, shownId)
  const isConnected = ledger.connected.has(sourceKey(hook.accountId, payload.store, payload.app_id))
  if (reviewId !== shownId && !isConnected)
    ledger.violate('isolation', `hook ${hook.id} got ${shownId} of another account's connection`)
  const review = ledger.reviews.get(reviewKey(payload.store, payload.app_id, reviewId))
  if (review === undefined) {
    ledger.violate('phantom', `no store showed review ${reviewId}`, payload)
    return reviewId
  }
  if (watch.storefronts?.some((storefront) => storefront === payload.country) === false) wrong('country')
  const stars = payload.rating ?? 0
  if (!review.stars.includes(stars) || stars < watch.minStars || stars > watch.maxStars) wrong('rating')
  // Apple and Google's official API show only the date of the last edit.
  const datedMs =
    (review.store === 'google' && !isConnected) || !review.edited ? review.publishedAtMs : review.shownAtMs
  if (datedMs < notBeforeMs)
    ledger.violate('event_before_hook', `review ${reviewId} is older than hook ${hook.id}`, review)
  return reviewId
}

function checkDrop(ledger: Ledger, hook: HookEntry, payload: Payload): string {
  const { watch } = hook
  const { previous_rating: previous = 0, current_rating: current = 0, rating_count: count = 0 } = payload
  const shown = ledger.ratings.get(listingKey(watch.store, watch.appId, watch.storefronts?.[0] ?? 'us')) ?? []
  const micros = (rating: number) => Math.round(rating * 1_000_000)
  const after = shown.findLast(({ rating }) => rating === `${micros(current)} ${count}`)
  const before = shown.find(({ rating }) => rating.startsWith(`${micros(previous)} `))
  // A frozen store may show a rating after one that replaced it.
  const lastShownMs = Math.max(after?.fromMs ?? 0, after?.repeatedAtMs ?? 0)
  if (after === undefined || before === undefined || before === after || before.fromMs > lastShownMs)
    ledger.violate('phantom', 'no store showed this drop', { payload, shown })
  const drop = micros(previous) - micros(current)
  if (drop <= 0 || drop < (watch.deltaMicros ?? 0))
    ledger.violate('wrong_event', `a drop of ${drop} for hook ${hook.id}`, payload)
  return `${micros(current)} ${count}`
}
