import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Review } from '../../model/review.ts'
import type { KnownHistory } from '../../storage/port/review-histories.ts'
import type { OfficialReview } from '../../storage/port/review-sources.ts'
import { detectHistory } from './detect-history.ts'

const NOON = new Date('2026-07-01T12:00:00Z')
const HOUR_MS = 3_600_000
const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR_MS)

const KNOWN: KnownHistory = {
  seen: new Set(),
  contentHashes: new Map(),
  shownAt: new Map(),
  forwardFrom: NOON,
  publicSeen: new Set(),
  publicReviews: [],
  publicUntil: NOON,
  changedAt: NOON,
  isPublicPolled: false,
}

function official(fingerprint: string, shownAt: Date, contentHash = 'text'): OfficialReview {
  const review: Review = {
    reviewId: fingerprint,
    rating: 3,
    title: null,
    body: `Text of ${fingerprint}`,
    author: null,
    appVersion: null,
    shownAt,
    edited: null,
    store: 'apple',
    appId: '1',
    market: 'us~alice',
    fingerprint,
    contentHash,
    occurredAt: shownAt,
    observedAt: at(1),
  }
  return { review, publicFingerprints: [], replyText: null }
}

test('an old review is stored and recorded as seen, and never an occurrence', () => {
  const old = official('old', at(-1_000))
  assert.deepEqual(detectHistory([old], KNOWN), { seen: [old], toStore: [old.review], occurrences: [] })
})

test('a review that polls would deliver is left to them', () => {
  const result = detectHistory([official('new', at(5)), official('old', at(-1_000))], KNOWN)
  assert.deepEqual(
    result.seen.map(({ review }) => review.fingerprint),
    ['old'],
  )
  assert.deepEqual(
    result.toStore.map(({ fingerprint }) => fingerprint),
    ['old'],
  )
})

test('an older copy of a stored review replaces nothing, and a newer one does', () => {
  const known: KnownHistory = {
    ...KNOWN,
    seen: new Set(['a']),
    contentHashes: new Map([['a', 'stored']]),
    shownAt: new Map([['a', at(-100)]]),
  }
  assert.deepEqual(detectHistory([official('a', at(-200), 'older')], known).toStore, [])
  const newer = official('a', at(-50), 'newer')
  assert.deepEqual(detectHistory([newer], known).toStore, [newer.review])
})

test('a review that the public pages showed to the account is not stored again', () => {
  const shown = { ...official('linked', at(-1_000)), publicFingerprints: ['public'] }
  const result = detectHistory([shown], { ...KNOWN, publicSeen: new Set(['public']) })
  assert.deepEqual(result, { seen: [shown], toStore: [], occurrences: [] })
})
