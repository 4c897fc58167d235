import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeReview } from '../../../test/support/fixture-app-store.ts'
import { instantOf, later } from '../../runtime/instant.ts'
import type { SourcePageAnswer } from '../appstores/appstore.ts'
import { compareSources } from './compare-sources.ts'

const HOUR_MS = 3_600_000
const NOW = instantOf(Date.parse('2026-11-18T12:00:00Z'))

/** 20 reviews, one every ten minutes, the newest so many hours old. */
function page(newestHours: number, { first = 0, reversed = false } = {}): SourcePageAnswer {
  const reviews = Array.from({ length: 20 }, (_, at) =>
    storeReview(`r${first + at}`, later(NOW, -newestHours * HOUR_MS - at * 600_000)),
  )
  return { kind: 'ok', source: 'any', next: null, reviews: reversed ? reviews.toReversed() : reviews }
}

const empty: SourcePageAnswer = { kind: 'empty', detail: 'No reviews.' }
const failed = (kind: 'blocked' | 'changed' | 'unknown' | 'gone'): SourcePageAnswer => ({
  kind,
  source: 'any',
  detail: 'It failed.',
})

/** The faults by source; `page` is the only source that is not asked for newest first. */
function faults(answers: Readonly<Record<string, SourcePageAnswer>>) {
  const asked = Object.entries(answers).map(([source, answer]) => ({
    source,
    newestFirst: source !== 'page',
    answer,
  }))
  return Object.fromEntries([...compareSources(asked, NOW)].map(([source, { fault }]) => [source, fault]))
}

test('sources that show the same day-old reviews are healthy', () => {
  assert.deepEqual(faults({ rss: page(28.6), web: page(28.6) }), { rss: null, web: null })
})

test('one comparison tells a frozen, an unsorted, an empty, a blocked and a changed source apart', () => {
  assert.deepEqual(
    faults({
      rss: page(28 + 240),
      rss_xml: empty,
      web: page(28),
      row: page(27, { reversed: true }),
      row_4: failed('blocked'),
      page: failed('changed'),
    }),
    { rss: 'frozen', rss_xml: 'empty', web: null, row: 'unsorted', row_4: 'blocked', page: 'changed' },
  )
})

test('sources that are equally late are delayed, none of them frozen', () => {
  assert.deepEqual(faults({ rss: page(60), web: page(59) }), { rss: 'delayed', web: 'delayed' })
  assert.deepEqual(faults({ rss: page(30), web: page(28.5) }), { rss: null, web: null })
})

test('a source is frozen when its newest review is more than two hours older than that of another', () => {
  assert.deepEqual(faults({ rss: page(30), web: page(28.1) }), { rss: null, web: null })
  assert.deepEqual(faults({ rss: page(30.2), web: page(28.1) }), { rss: 'frozen', web: null })
})

test('a source that shows the most helpful reviews is neither frozen nor unsorted', () => {
  assert.deepEqual(faults({ web: page(28), page: page(9_000, { reversed: true }) }), {
    web: null,
    page: null,
  })
})

test('without reviews of any source no answer proves anything', () => {
  assert.deepEqual(
    faults({
      ...{ rss: empty, rss_xml: failed('changed'), web: failed('blocked') },
      ...{ row: failed('gone'), page: failed('unknown') },
    }),
    { rss: undefined, rss_xml: undefined, web: undefined, row: undefined, page: undefined },
  )
})

test('impossible dates are a changed format', () => {
  assert.deepEqual(faults({ rss: page(-48), web: page(28), row: page(24 * 365 * 30) }), {
    rss: 'changed',
    web: null,
    row: 'changed',
  })
})

test('a source has the share of its reviews in common that others show, of the smaller page', () => {
  const asked = [
    { source: 'rss', newestFirst: true, answer: page(28) },
    { source: 'web', newestFirst: true, answer: page(28, { first: 15 }) },
    { source: 'row', newestFirst: true, answer: empty },
  ]
  const overlaps = [...compareSources(asked, NOW).values()].map(({ overlap }) => overlap)
  assert.deepEqual(overlaps, [0.25, 0.25, null])
})
