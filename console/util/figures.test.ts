import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewStatistics } from '../../src/contract/v1/statistics.ts'
import { differenceOf, mergedFigures, requestsOf, shareOf, topKeys } from './figures.ts'

const NOTHING: ReviewStatistics = {
  since: '2026-10-01T00:00:00.000Z',
  until: '2026-11-01T00:00:00.000Z',
  interval: 'day',
  reviews: 0,
  stars: [0, 0, 0, 0, 0],
  average_stars: null,
  bug_reports: 0,
  feature_requests: 0,
  sentiments: [],
  themes: [],
  requested_features: [],
  series: [],
}

const requested = (feature_slug: string, count: number) => ({
  feature_slug,
  feature_phrase: null,
  count,
  last_at: '2026-10-02T00:00:00.000Z',
  series: [],
})
const onDay = (day: string) => ({
  at: `${day}T00:00:00.000Z`,
  reviews: 1,
  stars: [0, 0, 0, 0, 1],
  negative: 0,
  bug_reports: 0,
  feature_requests: 0,
})

const APPLE: ReviewStatistics = {
  ...NOTHING,
  reviews: 10,
  stars: [4, 0, 1, 0, 5],
  bug_reports: 3,
  feature_requests: 2,
  sentiments: [
    { sentiment: 'positive', count: 5 },
    { sentiment: 'negative', count: 3 },
  ],
  themes: [
    { theme: 'stability_crash', count: 3, negative: 3 },
    { theme: 'sync', count: 1, negative: 0 },
  ],
  requested_features: [requested('dark-mode', 2)],
  series: [onDay('2026-10-02'), onDay('2026-10-05')],
}
const GOOGLE: ReviewStatistics = {
  ...NOTHING,
  reviews: 6,
  stars: [1, 1, 1, 1, 2],
  bug_reports: 1,
  feature_requests: 3,
  sentiments: [
    { sentiment: 'negative', count: 2 },
    { sentiment: 'mixed', count: 1 },
  ],
  themes: [{ theme: 'stability_crash', count: 2, negative: 1 }],
  requested_features: [requested('widgets', 2), requested('dark-mode', 1)],
  series: [onDay('2026-10-04'), onDay('2026-10-11')],
}

test('figures of both stores add up, features by their slug and themes by their code', () => {
  const figures = mergedFigures([APPLE, GOOGLE])
  assert.deepEqual(
    { ...figures, themes: [...figures.themes], features: [...figures.features] },
    {
      reviews: 16,
      stars: [5, 1, 2, 1, 7],
      enriched: 11,
      negative: 5,
      bugReports: 4,
      featureRequests: 5,
      themes: [
        ['stability_crash', 5],
        ['sync', 1],
      ],
      features: [
        ['dark-mode', 3],
        ['widgets', 2],
      ],
      fullFeatureLists: [],
      days: 10,
    },
  )
})

test('figures without reviews have no share and no days', () => {
  const figures = mergedFigures([NOTHING])
  assert.equal(figures.days, 0)
  assert.equal(shareOf({ count: figures.negative, of: figures.enriched }), null)
})

test('a feature that a full list lacks has an unknown number of requests', () => {
  const full = Array.from({ length: 50 }, (_, index) => requested(`feature-${index}`, 1))
  assert.equal(requestsOf(mergedFigures([{ ...NOTHING, requested_features: full }]), 'dark-mode'), null)
  assert.equal(requestsOf(mergedFigures([GOOGLE]), 'sync-calendar'), 0)
})

test('a feature that the full list of one listing lacks is unknown of both, however many the other has', () => {
  const full = Array.from({ length: 50 }, (_, index) => requested(`feature-${index}`, 1))
  const both = mergedFigures([{ ...NOTHING, requested_features: full }, GOOGLE])
  assert.equal(requestsOf(both, 'dark-mode'), null)
  const alsoThere = [...full.slice(1), requested('dark-mode', 4)]
  assert.equal(
    requestsOf(mergedFigures([{ ...NOTHING, requested_features: alsoThere }, GOOGLE]), 'dark-mode'),
    5,
  )
})

test('the top keys have the most reviews in any column, not the greatest share of few', () => {
  const two: ReviewStatistics = {
    ...NOTHING,
    reviews: 2,
    sentiments: [{ sentiment: 'positive', count: 2 }],
    themes: [{ theme: 'billing_payment', count: 2, negative: 0 }],
  }
  const columns = [mergedFigures([APPLE]), mergedFigures([two])]
  assert.deepEqual(
    topKeys(columns, ({ themes }) => themes, 8),
    ['stability_crash', 'billing_payment', 'sync'],
  )
  assert.deepEqual(
    topKeys(columns, ({ themes }) => themes, 1),
    ['stability_crash'],
  )
})

test('a difference has the unit of its figure and counts what the page shows', () => {
  assert.deepEqual(differenceOf('count', 130, 100), { kind: 'percent', direction: 'up', distance: 30 })
  assert.deepEqual(differenceOf('rate', 1, 4), { kind: 'percent', direction: 'down', distance: 75 })
  assert.deepEqual(differenceOf('count', 7, 0), { kind: 'count', direction: 'up', distance: 7 })
  assert.deepEqual(differenceOf('count', 0, 0), { kind: 'same', direction: 'same', distance: 0 })
  assert.deepEqual(differenceOf('average', 4.301, 4.299), { kind: 'same', direction: 'same', distance: 0 })
  assert.deepEqual(differenceOf('average', 3.5, 4.25), { kind: 'stars', direction: 'down', distance: 0.75 })
  // 66.6% and 33.3%.
  assert.deepEqual(differenceOf('share', 2 / 3, 1 / 3), { kind: 'points', direction: 'up', distance: 33.3 })
  assert.deepEqual(differenceOf('share', 0.29, 0.28), { kind: 'points', direction: 'up', distance: 1 })
  assert.equal(differenceOf('share', null, 0.5), null)
  assert.equal(differenceOf('share', 0.5, null), null)
})

test('a difference is none only if the shown figures are the same', () => {
  assert.deepEqual(differenceOf('count', 10_040, 10_000), { kind: 'percent', direction: 'up', distance: 0 })
  assert.deepEqual(differenceOf('count', 9_960, 10_000), { kind: 'percent', direction: 'down', distance: 0 })
  assert.deepEqual(differenceOf('count', 10_000, 10_000), { kind: 'same', direction: 'same', distance: 0 })
  assert.deepEqual(differenceOf('rate', 0.4333, 0.4267), { kind: 'same', direction: 'same', distance: 0 })
  // 0.43, and more than none by as much.
  assert.deepEqual(differenceOf('rate', 0.4333, 0), { kind: 'rate', direction: 'up', distance: 0.43 })
  assert.deepEqual(differenceOf('count', 4, 1_000), { kind: 'percent', direction: 'down', distance: 99 })
  assert.deepEqual(differenceOf('count', 0, 1_000), { kind: 'percent', direction: 'down', distance: 100 })
})
