import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  candidateOf,
  ratingOccurrence,
  reviewOccurrence,
  watchFor,
} from '../../../test/support/occurrences.ts'
import type { Watch } from '../../model/hook.ts'
import { eventsOf } from './events.ts'

test('an occurrence creates one event for each matching hook', () => {
  const review = reviewOccurrence()
  const events = eventsOf(review, [
    candidateOf(watchFor(review, { id: 'wat_1', hookId: 'api-1' })),
    candidateOf(watchFor(review, { id: 'wat_2', hookId: 'api-2', minStars: 5 })),
    candidateOf(watchFor(review, { id: 'wat_3', hookId: 'api-3', accountId: 'acc_2' })),
  ])
  assert.deepEqual(
    events.map((event) => [event.hookId, event.accountId]),
    [
      ['api-1', 'acc_1'],
      ['api-3', 'acc_2'],
    ],
  )
  assert.equal(new Set(events.map((event) => event.eventId)).size, 2)
  for (const event of events) assert.equal(JSON.parse(event.body).event_id, event.eventId)
})

test('a hook with several matching watches gets one event, from the oldest watch', () => {
  const drop = ratingOccurrence(4_100_000, 3_900_000)
  const byDelta = watchFor(drop, { id: 'wat_2', createdAt: new Date('2026-02-01T00:00:00Z') })
  const byThreshold = watchFor(drop, {
    id: 'wat_1',
    deltaMicros: null,
    thresholdMicros: 4_000_000,
    createdAt: new Date('2026-01-15T00:00:00Z'),
  })
  const storefronts = ['de'] as const
  for (const watches of [
    [byDelta, byThreshold],
    [byThreshold, byDelta],
  ]) {
    const events = eventsOf(
      drop,
      watches.map((watch) => candidateOf(watch, storefronts)),
    )
    assert.deepEqual(
      events.map((event) => JSON.parse(event.body).trigger),
      ['threshold'],
    )
  }
})

test('a slide is reported by the event of the hook, whichever of its watches creates it', () => {
  const drop = ratingOccurrence(4_310_000, 4_300_000, { highs: [{ micros: 4_500_000, ageMs: 3_600_000 }] })
  const plain = watchFor(drop, { id: 'wat_1', createdAt: new Date('2026-01-01T00:00:00Z') })
  const slide = { deltaMicros: 200_000, deltaWindowHours: 24, createdAt: new Date('2026-02-01T00:00:00Z') }
  const eventsFor = (...watches: Watch[]) =>
    eventsOf(
      drop,
      watches.map((watch) => candidateOf(watch, ['de'])),
    )
  const [alone] = eventsFor(watchFor(drop, { id: 'wat_2', ...slide }))
  assert.deepEqual(alone?.slides, ['wat_2'])
  const { previous_rating, current_rating, delta, trigger } = JSON.parse(alone?.body ?? '')
  assert.deepEqual([previous_rating, current_rating, delta, trigger], [4.5, 4.3, -0.2, 'delta'])
  const both = eventsFor(watchFor(drop, { id: 'wat_2', ...slide }), plain)
  assert.deepEqual(
    both.map(({ slides, body }) => [slides, JSON.parse(body).previous_rating]),
    [[['wat_2'], 4.31]],
  )
  assert.deepEqual(
    eventsFor(plain).map((event) => 'slides' in event),
    [false],
  )
})

test('an occurrence without a match creates no event', () => {
  assert.deepEqual(eventsOf(reviewOccurrence(), []), [])
})
