import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_SOURCES } from '../../../test/support/no-sources.ts'
import type { FeedSources } from '../../model/feed.ts'
import {
  firstSource,
  isOlderThanKnown,
  mayCompare,
  newestOf,
  nextFallback,
  SOURCE_PROBE_MS,
  suspiciousPauseStart,
} from './source-selection.ts'

const now = new Date('2026-03-10T00:00:00Z')
const HOUR = 3_600_000
const ago = (ms: number) => new Date(now.getTime() - ms)
const fallen = (probedAgoMs: number): FeedSources => ({
  ...NO_SOURCES,
  fallback: { source: 'web', since: ago(9 * HOUR), reason: 'rss: empty.', probedAt: ago(probedAgoMs) },
})
const poll = { now, primary: 'rss', lastSource: null, startedWith: null, reason: 'rss: empty.' } as const

test('the fallback is requested first until the sources before it are due for a probe', () => {
  assert.equal(firstSource(NO_SOURCES, now), null)
  assert.equal(firstSource(fallen(0), now), 'web')
  assert.equal(firstSource(fallen(SOURCE_PROBE_MS - 1), now), 'web')
  assert.equal(firstSource(fallen(SOURCE_PROBE_MS), now), null)
  assert.equal(firstSource(fallen(-HOUR), now), null, 'a probe time in the future comes from a wrong clock')
})

test('a source that serves two polls in a row instead of the primary one becomes the fallback', () => {
  assert.equal(nextFallback(NO_SOURCES, { ...poll, served: 'web' }), null)
  assert.equal(nextFallback(NO_SOURCES, { ...poll, served: 'web', lastSource: 'rss_xml' }), null)
  assert.deepEqual(nextFallback(NO_SOURCES, { ...poll, served: 'web', lastSource: 'web' }), {
    source: 'web',
    since: now,
    reason: 'rss: empty.',
    probedAt: now,
  })
})

test('the fallback ends when the primary source recovers', () => {
  assert.equal(nextFallback(fallen(HOUR), { ...poll, served: 'rss', lastSource: 'web' }), null)
  assert.equal(nextFallback(fallen(HOUR), { ...poll, served: 'rss', startedWith: 'web' }), null)
})

test('a failed probe of the primary source moves the next probe, not the start of the fallback', () => {
  const { fallback } = fallen(SOURCE_PROBE_MS)
  assert.deepEqual(nextFallback(fallen(SOURCE_PROBE_MS), { ...poll, served: 'web' }), {
    ...fallback,
    probedAt: now,
  })
  assert.deepEqual(nextFallback(fallen(SOURCE_PROBE_MS), { ...poll, served: null }), {
    ...fallback,
    probedAt: now,
  })
  assert.deepEqual(
    nextFallback(fallen(HOUR), { ...poll, served: 'web', startedWith: 'web' }),
    fallen(HOUR).fallback,
  )
  const row = nextFallback(fallen(HOUR), { ...poll, served: 'row', startedWith: 'web' })
  assert.deepEqual([row?.source, row?.since], ['row', ago(9 * HOUR)])
})

test('sources are compared at most once in six hours', () => {
  const mayCompareAfter = (lastComparedAt: Date | null) => mayCompare({ ...NO_SOURCES, lastComparedAt }, now)
  assert.deepEqual([null, ago(6 * HOUR), ago(5 * HOUR), ago(-1)].map(mayCompareAfter), [
    true,
    true,
    false,
    true,
  ])
})

const at = (...hoursAgo: number[]) => hoursAgo.map((hours) => ({ shownAt: ago(hours * HOUR) }))

test('a newest review counts as older only if the difference exceeds two hours', () => {
  const known = { ...NO_SOURCES, newestShownAt: ago(10 * HOUR) }
  assert.equal(isOlderThanKnown(ago(13 * HOUR), known), true)
  assert.equal(isOlderThanKnown(ago(11 * HOUR), known), false)
  assert.equal(isOlderThanKnown(ago(HOUR), known), false)
  assert.equal(isOlderThanKnown(null, known), false)
  assert.equal(isOlderThanKnown(ago(13 * HOUR), NO_SOURCES), false)
})

test('a date far in the future does not count as the newest', () => {
  assert.deepEqual(newestOf(at(-10_000, 3, 5), now), ago(3 * HOUR))
  assert.equal(newestOf(at(-10_000), now), null)
})

test('a pause is suspicious after two days and ten mean intervals without a new review', () => {
  const page = (count: number, apartHours: number, newestHours: number) =>
    at(...Array.from({ length: count }, (_, n) => newestHours + n * apartHours))
  assert.deepEqual(suspiciousPauseStart(page(10, 1, 49), now), ago(49 * HOUR))
  assert.equal(suspiciousPauseStart(page(10, 1, 47), now), null)
  assert.equal(suspiciousPauseStart(page(9, 1, 49), now), null, 'too few reviews for a mean interval')
  assert.equal(suspiciousPauseStart(page(20, 24, 200), now), null)
  assert.deepEqual(suspiciousPauseStart(page(20, 24, 241), now), ago(241 * HOUR))
  assert.equal(suspiciousPauseStart([], now), null)
})
