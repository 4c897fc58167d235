import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { candidateOf, watchFor } from '../../../test/support/occurrences.ts'
import { webhookEvent } from '../../contract/webhook.ts'
import type { Watch } from '../../model/hook.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import { recoveryIdOf } from '../../model/rating-recovery.ts'
import { spikeIdOf } from '../../model/review-spike.ts'
import { eventsOf } from './events.ts'
import { match } from './match.ts'

const MINUTE = 60_000
const NOON = new Date('2026-03-01T12:00:00.000Z')
const at = (minutes: number) => new Date(NOON.getTime() + minutes * MINUTE)

/** A second implementation of the hash, so that a changed encoding fails these tests. */
function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

type Spiked = Extract<Occurrence, { eventType: 'reviews.spiked' }>
type Risen = Extract<Occurrence, { eventType: 'rating.recovered' }>

/** Seven reviews a minute apart from noon on, three of them of `de`, that a poll finds a quarter of an hour later. */
function spiked(change: Partial<Spiked> = {}): Spiked {
  const known = { polledFromMs: 0, knownFromMs: 0 }
  return {
    eventType: 'reviews.spiked',
    seq: 1,
    occurrenceId: spikeIdOf('apple', '1', 'us', 'f'),
    store: 'apple',
    appId: '1',
    market: 'us',
    occurredAt: at(6),
    observedAt: at(15),
    negatives: {
      markets: ['us', 'de', 'fr'].map((market) => ({ market, ...known })),
      recent: [0, 1, 2, 3, 4, 5, 6].map((minute) => ({
        atMs: at(minute).getTime(),
        market: minute % 2 === 1 ? 'de' : 'us',
        reviewId: `r${minute}`,
        rating: minute === 6 ? 2 : 1,
      })),
      perHour: [{ market: 'us', hour: NOON.getTime() / 3_600_000 - 5, count: 84 }],
    },
    ...change,
  }
}

function candidate(occurrence: Occurrence, change: Partial<Watch> = {}, spikeFiredAt: Date | null = null) {
  return { ...candidateOf(watchFor(occurrence, change), ['us', 'de']), spikeFiredAt }
}

test('the body of a spike matches the contract byte for byte', () => {
  const occurrence = spiked()
  const [event, ...more] = eventsOf(occurrence, [candidate(occurrence)])
  assert.deepEqual(more, [])
  const id = sha256('5:spike5:apple1:12:us1:f')
  assert.equal(occurrence.occurrenceId, id)
  const eventId = sha256(`5:event8:api-000164:${id}`)
  const review = (minute: number, rating: number, country: string) =>
    `{"review_id":"r${minute}","fingerprint":"${sha256(`6:review5:apple1:12:r${minute}`)}","rating":${rating},` +
    `"country":"${country}","occurred_at":"2026-03-01T12:0${minute}:00.000Z",` +
    `"url":"https://apps.apple.com/${country}/app/id1?see-all=reviews"}`
  assert.equal(
    event?.body,
    `{"id":"${eventId}","event_id":"${eventId}","occurrence_id":"${id}","event_type":"reviews.spiked","store":"apple",` +
      `"app_id":"1","subscriber_id":"api-0001","occurred_at":"2026-03-01T12:06:00.000Z",` +
      `"observed_at":"2026-03-01T12:15:00.000Z","schema_version":2,"review_count":7,"usual_count":0.25,"factor":28,` +
      `"window_start":"2026-03-01T11:06:00.000Z","window_end":"2026-03-01T12:06:00.000Z","spike_min_reviews":5,` +
      `"spike_factor":3,"countries":["us","de"],"reviews":[${review(6, 2, 'us')},${review(5, 1, 'de')},` +
      `${review(4, 1, 'us')},${review(3, 1, 'de')},${review(2, 1, 'us')}]}`,
  )
  assert.deepEqual(webhookEvent.parse(JSON.parse(event.body)), JSON.parse(event.body))
  assert.deepEqual(event.spikes, [{ watchId: 'wat_1', end: at(6) }])
})

test('a spike counts only the storefronts of its watch, and only a poll of one of them reports it', () => {
  const reasonOf = (change: Partial<Watch>, occurrence = spiked()) => {
    const matched = match(occurrence, candidate(occurrence, change))
    return matched.match ? matched.spike?.count : matched.reason
  }
  assert.equal(reasonOf({ storefronts: ['us'] }), 'no_spike')
  assert.equal(reasonOf({ storefronts: ['us'], spike: { minReviews: 4, factor: 3 } }), 4)
  assert.equal(reasonOf({ storefronts: ['de', 'fr'] }), 'storefront')
  assert.equal(reasonOf({ createdAt: at(3) }), 'no_spike')
  assert.equal(reasonOf({ createdAt: at(7) }), 'before_watch')
  assert.equal(reasonOf({ spike: { minReviews: 5, factor: 28 } }), 7)
  assert.equal(reasonOf({ spike: { minReviews: 5, factor: 28.1 } }), 'no_spike')
})

test('a spike without a usual number has no factor', () => {
  const { negatives } = spiked()
  const occurrence = spiked({ negatives: { ...negatives, perHour: [] } })
  const [event] = eventsOf(occurrence, [candidate(occurrence)])
  const { usual_count, factor } = JSON.parse(event?.body ?? '')
  assert.deepEqual([usual_count, factor], [0, null])
})

test('a hook with several limits gets one event, and each watch has its spike', () => {
  const occurrence = spiked()
  const candidates = [
    candidate(occurrence, { id: 'wat_1', storefronts: ['us'], spike: { minReviews: 2, factor: 3 } }),
    candidate(occurrence, { id: 'wat_2' }),
    candidate(occurrence, { id: 'wat_3', spike: { minReviews: 8, factor: 3 } }),
    candidate(occurrence, { id: 'wat_4' }, at(6)),
  ]
  const [event, ...more] = eventsOf(occurrence, candidates)
  assert.deepEqual(more, [])
  assert.equal(JSON.parse(event?.body ?? '').review_count, 4)
  assert.deepEqual(
    event?.spikes?.map(({ watchId }) => watchId),
    ['wat_1', 'wat_2'],
  )
})

/** A rating that fell by 0.2 and rose again. */
function risen(change: Partial<Risen> = {}): Risen {
  const rating = (micros: number, count: number) => ({ micros, count })
  const current = rating(4_510_000, 130)
  return {
    eventType: 'rating.recovered',
    seq: 2,
    occurrenceId: recoveryIdOf('google', 'a.b', current),
    store: 'google',
    appId: 'a.b',
    market: 'de',
    occurredAt: at(180),
    observedAt: at(180),
    previous: rating(4_450_000, 120),
    current,
    history: [
      { ...rating(4_500_000, 100), observedAtMs: at(0).getTime() },
      { ...rating(4_300_000, 110), observedAtMs: at(60).getTime() },
      { ...rating(4_450_000, 120), observedAtMs: at(120).getTime() },
      { ...current, observedAtMs: at(180).getTime() },
    ],
    ...change,
  }
}

test('the body of a recovery matches the contract byte for byte', () => {
  const occurrence = risen()
  const rule = { deltaMicros: null, thresholdMicros: 4_400_000 }
  const [event, ...more] = eventsOf(occurrence, [candidate(occurrence, rule)])
  assert.deepEqual(more, [])
  const id = sha256('16:recovered rating6:google3:a.b4:4.513:130')
  assert.equal(occurrence.occurrenceId, id)
  const eventId = sha256(`5:event8:api-000164:${id}`)
  assert.equal(
    event?.body,
    `{"id":"${eventId}","event_id":"${eventId}","occurrence_id":"${id}","event_type":"rating.recovered",` +
      `"store":"google","app_id":"a.b","subscriber_id":"api-0001","occurred_at":"2026-03-01T15:00:00.000Z",` +
      `"observed_at":"2026-03-01T15:00:00.000Z","schema_version":2,"transition_id":"${id}","previous_rating":4.45,` +
      `"current_rating":4.51,"delta":0.06,"rating_count":130,"trigger":"threshold","threshold":4.4,` +
      `"rating_before_drop":4.5,"lowest_rating":4.3,"dropped_at":"2026-03-01T13:00:00.000Z",` +
      `"drop_transition_id":"${sha256('6:rating6:google3:a.b3:4.33:110')}"}`,
  )
  assert.deepEqual(webhookEvent.parse(JSON.parse(event.body)), JSON.parse(event.body))
})

test('a rise is no recovery for a watch whose rule did not fire, or that is younger than the drop', () => {
  const reasonOf = (change: Partial<Watch>) => {
    const matched = match(risen(), candidate(risen(), change))
    return matched.match ? matched.trigger : matched.reason
  }
  assert.equal(reasonOf({ deltaMicros: 200_000 }), 'delta')
  assert.equal(reasonOf({ deltaMicros: 200_001 }), 'no_recovery')
  assert.equal(reasonOf({ createdAt: at(61) }), 'no_recovery')
  assert.equal(reasonOf({ storefronts: ['us'] }), 'storefront')
  assert.equal(reasonOf({ eventType: 'rating.dropped' }), 'event_type')
})
