import type { WebhookEvent } from '../../contract/webhook.ts'
import type { Received } from '../receiver/receiver.ts'
import { excerpt, jsonLine } from '../table.ts'

const TEXT_CHARS_MAX = 40
const REFUSAL_CHARS_MAX = 300
/** The maximum length of a name, which may be any text when signatures are not checked. */
const ID_CHARS_MAX = 80
/** The column width for store, app and storefront. Most values fit. */
const PLACE_CHARS = 30

/** One request as one line: time, response, signature check, content and event id. */
export function requestLine(received: Received): string {
  const { at, status, refusal, event } = received
  const begin = `${at.toISOString().slice(11, 19)}Z  ${status}`
  if (refusal !== null) {
    const of =
      event === null ? '' : ` (${event.event_type} of hook ${excerpt(event.subscriber_id, ID_CHARS_MAX)})`
    return `${begin}  REJECTED  ${excerpt(refusal, REFUSAL_CHARS_MAX)}${of}\n`
  }
  const signature = received.signature.padEnd(9)
  const repeated = received.isRepeat ? '  repeated' : ''
  return `${begin}  ${signature}  ${eventText(received.event)}${repeated}  ${received.event.event_id}\n`
}

/** The content of an event as part of a terminal line. */
export function eventText(event: WebhookEvent): string {
  const { store, event_type: type } = event
  const app = `${store} ${excerpt(event.app_id, ID_CHARS_MAX)}`
  if (event.event_type === 'reviews.spiked') {
    const { review_count: count, usual_count: usual, countries } = event
    return `${type}  ${`${count} in 1 h`.padEnd(9)}  ${`${app} ${countries.join(' ')}`.padEnd(PLACE_CHARS)}  usually ${usual}`
  }
  if (event.event_type !== 'review.created') {
    const { previous_rating: before, current_rating: now, rating_count: count } = event
    return `${type}  ${`${stars(before)}→${stars(now)}`.padEnd(9)}  ${app.padEnd(PLACE_CHARS)}  ${count} ratings`
  }
  const rating = '★'.repeat(event.rating).padEnd(5, '☆')
  const where = `${app} ${event.country}`.padEnd(PLACE_CHARS)
  return `${type}  ${rating.padEnd(9)}  ${where}  “${excerpt(event.title || event.body, TEXT_CHARS_MAX)}”`
}

function stars(rating: number): string {
  return rating.toFixed(2)
}

/**
 * One request as one line of JSON. `verified` is null when the signature was not checked. `event` is the unchanged
 * body, or null when the body is not an event.
 */
export function requestJson(received: Received): string {
  const { at, status, signature, isRepeat, refusal, payload } = received
  return jsonLine({
    at: at.toISOString(),
    status,
    verified: signature === 'unchecked' ? null : signature === 'verified',
    repeated: isRepeat,
    refusal,
    event: payload,
  })
}
