import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentHashOf, fingerprintOf, type Review } from '../../model/review.ts'
import { spikeIdOf } from '../../model/review-spike.ts'
import type { KnownReviews } from '../../storage/port/feeds.ts'
import { detectReviews } from './detect-reviews.ts'

const forwardFrom = new Date('2026-03-01T00:00:00Z')
const before = new Date(forwardFrom.getTime() - 1)

function review(reviewId: string, change: { body?: string; occurredAt?: Date } = {}): Review {
  const body = change.body ?? 'Fine.'
  return {
    store: 'google',
    appId: 'org.example.app',
    market: 'en',
    reviewId,
    rating: 4,
    title: null,
    body,
    author: 'A person',
    appVersion: '1.0',
    shownAt: change.occurredAt ?? forwardFrom,
    edited: null,
    fingerprint: fingerprintOf('google', 'org.example.app', reviewId),
    contentHash: contentHashOf(null, body),
    occurredAt: change.occurredAt ?? forwardFrom,
    observedAt: forwardFrom,
  }
}

const nothingKnown: KnownReviews = {
  inFeed: new Set(),
  inSiblings: new Set(),
  contentHashes: new Map(),
  forwardFrom,
}
const ids = (reviews: readonly Review[]) => reviews.map((one) => one.reviewId)

test('an unseen review is recorded, stored and becomes an occurrence', () => {
  const { seen, toStore, occurrences } = detectReviews([review('a')], nothingKnown)
  assert.deepEqual([ids(seen), ids(toStore), ids(occurrences)], [['a'], ['a'], ['a']])
})

test('a review older than the oldest watch is recorded and stored, without an occurrence', () => {
  const { seen, toStore, occurrences } = detectReviews([review('a', { occurredAt: before })], nothingKnown)
  assert.deepEqual([ids(seen), ids(toStore), ids(occurrences)], [['a'], ['a'], []])
})

test('without a watch no review becomes an occurrence', () => {
  assert.deepEqual(detectReviews([review('a')], { ...nothingKnown, forwardFrom: null }).occurrences, [])
})

test('a review seen again changes nothing', () => {
  const a = review('a')
  const known = {
    ...nothingKnown,
    inFeed: new Set([a.fingerprint]),
    contentHashes: new Map([[a.fingerprint, a.contentHash]]),
  }
  assert.deepEqual(detectReviews([a], known), { seen: [], toStore: [], occurrences: [], negatives: null })
})

test('an edit replaces the text and creates no occurrence', () => {
  const a = review('a', { body: 'Better now.' })
  const known = {
    ...nothingKnown,
    inFeed: new Set([a.fingerprint]),
    contentHashes: new Map([[a.fingerprint, contentHashOf(null, 'Fine.')]]),
  }
  assert.deepEqual(detectReviews([a], known), { seen: [], toStore: [a], occurrences: [], negatives: null })
})

test('a seen review whose text retention deleted is not stored again, edited or not', () => {
  const a = review('a', { body: 'Better now.' })
  const known = { ...nothingKnown, inFeed: new Set([a.fingerprint]) }
  assert.deepEqual(detectReviews([a], known), { seen: [], toStore: [], occurrences: [], negatives: null })
})

test('a review seen in another market is an occurrence here while its text is stored', () => {
  const a = review('a')
  const stored = {
    ...nothingKnown,
    inSiblings: new Set([a.fingerprint]),
    contentHashes: new Map([[a.fingerprint, a.contentHash]]),
  }
  assert.deepEqual(detectReviews([a], stored), { seen: [a], toStore: [], occurrences: [a], negatives: null })
  const forgotten = { ...nothingKnown, inSiblings: new Set([a.fingerprint]) }
  assert.deepEqual(detectReviews([a], forgotten), {
    seen: [a],
    toStore: [],
    occurrences: [],
    negatives: null,
  })
})

test('a review on two pages counts once', () => {
  const { seen, occurrences } = detectReviews(
    [review('a'), review('a', { body: 'Older text' })],
    nothingKnown,
  )
  assert.deepEqual([ids(seen), ids(occurrences)], [['a'], ['a']])
  assert.equal(seen[0]?.body, 'Fine.')
})

test('new negative reviews may be part of a spike, named by the newest of them', () => {
  const bad = (id: string, minute: number) => ({
    ...review(id, { occurredAt: new Date(forwardFrom.getTime() + minute * 60_000) }),
    rating: 2,
  })
  const later = bad('b', 2)
  assert.deepEqual(detectReviews([bad('a', 1), later, review('c')], nothingKnown).negatives, {
    occurrenceId: spikeIdOf('google', 'org.example.app', 'en', later.fingerprint),
    newestAt: later.occurredAt,
  })
  const known = { ...nothingKnown, inFeed: new Set([later.fingerprint]) }
  assert.equal(detectReviews([later, review('c')], known).negatives, null)
})

test('polls of any pages in any order yield every occurrence exactly once', () => {
  const anyReview = fc.record({
    id: fc.integer({ min: 0, max: 30 }).map(String),
    body: fc.constantFrom('one', 'two', 'three'),
    old: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(fc.array(anyReview, { maxLength: 12 }), { maxLength: 12 }), (polls) => {
      const inFeed = new Set<string>()
      const contentHashes = new Map<string, string>()
      const emitted: string[] = []
      const firstShownAsNew = new Set<string>()
      const shown = new Set<string>()
      for (const page of polls) {
        const fetched = page.map(({ id, body, old }) =>
          review(id, { body, ...(old ? { occurredAt: before } : {}) }),
        )
        for (const one of fetched) {
          if (!shown.has(one.reviewId) && one.occurredAt >= forwardFrom) firstShownAsNew.add(one.reviewId)
          shown.add(one.reviewId)
        }
        const changes = detectReviews(fetched, { ...nothingKnown, inFeed, contentHashes })
        for (const one of changes.seen) inFeed.add(one.fingerprint)
        for (const one of changes.toStore) contentHashes.set(one.fingerprint, one.contentHash)
        emitted.push(...ids(changes.occurrences))
      }
      assert.equal(new Set(emitted).size, emitted.length)
      assert.deepEqual(new Set(emitted), firstShownAsNew)
    }),
  )
})
