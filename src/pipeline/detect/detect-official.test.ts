import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Review } from '../../model/review.ts'
import { linkableOf } from '../../model/review-link.ts'
import type { KnownOfficial, OfficialReview } from '../../storage/port/review-sources.ts'
import { detectOfficial } from './detect-official.ts'

const CHANGED_AT = new Date('2026-07-01T12:00:00Z')
const HOUR_MS = 3_600_000
const at = (hours: number) => new Date(CHANGED_AT.getTime() + hours * HOUR_MS)

const KNOWN: KnownOfficial = {
  seen: new Set(),
  contentHashes: new Map(),
  forwardFrom: at(-1_000),
  publicSeen: new Set(),
  publicReviews: [],
  publicUntil: CHANGED_AT,
  changedAt: CHANGED_AT,
  isPublicPolled: false,
}

function reviewOf(fingerprint: string, market: string, shownAt: Date): Review {
  return {
    ...{ reviewId: fingerprint, fingerprint, market, shownAt, occurredAt: shownAt },
    ...{ store: 'apple', appId: '1', rating: 3, title: null, author: 'Mia', appVersion: null },
    ...{ body: 'It crashes.', contentHash: 'text', edited: null, observedAt: shownAt },
  }
}

/** How many events the same review causes in the official source, after the public pages showed it. */
function eventsOfSecond(shownAt: Date, known: KnownOfficial): number {
  const official: OfficialReview = {
    review: reviewOf('official', 'us~alice', shownAt),
    publicFingerprints: [],
    replyText: null,
  }
  const publicReviews = [linkableOf(reviewOf('public', 'us', shownAt))]
  return detectOfficial([official], { ...known, publicReviews }).occurrences.length
}

test('a review that the public pages showed before the change of source causes no second event', () => {
  assert.equal(eventsOfSecond(at(-1), KNOWN), 0)
})

test('it causes none either when the clock was a day behind at the change', () => {
  assert.equal(eventsOfSecond(at(24), KNOWN), 0)
})

test('a review with an equal text from long after the change is new', () => {
  const later = reviewOf('later', 'us~alice', at(24))
  const publicReviews = [linkableOf(reviewOf('public', 'us', at(-1)))]
  const fetched = [{ review: later, publicFingerprints: [], replyText: null }]
  assert.deepEqual(detectOfficial(fetched, { ...KNOWN, publicReviews }).occurrences, [later])
})
