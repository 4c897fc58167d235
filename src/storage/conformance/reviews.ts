import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EnrichmentWish } from '../port/feeds.ts'
import type { ReviewToEnrich } from '../port/occurrences.ts'
import type { Engine } from './harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  claimTexts,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
  visitOf,
} from './samples.ts'

const ENRICH: EnrichmentWish = { readyAt: after(MINUTE), enrich: true }

const textsOf = (claimed: readonly ReviewToEnrich[]) => claimed.map(({ review }) => review.body)

export function reviewsSuite({ open }: Engine): void {
  describe('an occurrence of a review', () => {
    it('carries the review as it was kept, and is ready at once when nothing is to be understood', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const review = reviewOf({
        reviewId: 'a',
        title: 'Zürich 👍🏽',
        body: 'line one\nline two',
        author: null,
        appVersion: null,
        edited: true,
        shownAt: after(2),
        occurredAt: after(1),
        observedAt: after(3),
      })
      await poll(storage, await claimFeed(storage), [review])
      const [occurrence, ...more] = await takeOccurrences(storage, NOON)
      assert.deepEqual(more, [])
      assert.ok(occurrence?.eventType === 'review.created')
      assert.deepEqual(occurrence, {
        seq: occurrence.seq,
        occurrenceId: review.fingerprint,
        store: 'apple',
        appId: '1',
        market: 'us',
        occurredAt: after(1),
        observedAt: after(3),
        eventType: 'review.created',
        review: { ...review, enrichment: null },
      })
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('waits for its enrichment, but not for ever', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })], { wish: ENRICH })
      assert.deepEqual(await takeOccurrences(storage, after(MINUTE - 1)), [])
      assert.equal((await takeOccurrences(storage, after(MINUTE))).length, 1)
    })

    it('is made once a market, whatever is decided later', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await storage.hooks.follow('alice', { store: 'apple', appId: '1' }, ['gb'], NOON)
      const review = reviewOf({ reviewId: 'a' })
      for (const feed of await claimFeeds(storage)) {
        const told = { ...review, market: feed.market }
        await storage.feeds.commitReviews(visitOf(feed), [told], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([told], after(SECOND))(known),
          occurrences: [told],
        }))
      }
      assert.deepEqual(
        new Set((await takeOccurrences(storage, NOON)).map(({ market }) => market)),
        new Set(['us', 'gb']),
      )
      for (const feed of await claimFeeds(storage, { now: after(SECOND) })) {
        const told = { ...review, market: feed.market }
        await storage.feeds.commitReviews(visitOf(feed), [told], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([])(known),
          occurrences: [told],
        }))
      }
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })
  })

  describe('a kept text', () => {
    it('queues to be understood, those an occurrence waits for first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const [old, fresh] = [
        reviewOf({ reviewId: 'old', body: 'old' }),
        reviewOf({ reviewId: 'new', body: 'new' }),
      ]
      await storage.feeds.commitReviews(
        visitOf(await claimFeed(storage)),
        [old, fresh],
        false,
        ENRICH,
        (known) => ({ ...decideAll([old, fresh])(known), occurrences: [fresh] }),
      )
      assert.deepEqual(textsOf(await claimTexts(storage, NOON)), ['new', 'old'])
    })

    it('does not queue when none is to be understood', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })])
      assert.deepEqual(await claimTexts(storage, after(HOUR)), [])
    })

    it('is replaced by what the store shows now', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const first = reviewOf({ reviewId: 'a', body: 'good', rating: 5, edited: null })
      await poll(storage, await claimFeed(storage), [first], { wish: ENRICH, nextPollAt: NOON })
      const second = reviewOf({
        reviewId: 'a',
        body: 'bad',
        title: 'Changed',
        rating: 1,
        appVersion: '2.0',
        shownAt: after(SECOND),
        edited: true,
        occurredAt: after(SECOND),
        observedAt: after(SECOND),
      })
      await poll(storage, await claimFeed(storage), [second], { wish: ENRICH })
      const [occurrence, ...more] = await takeOccurrences(storage, after(MINUTE))
      assert.deepEqual(more, [])
      assert.ok(occurrence?.eventType === 'review.created')
      // When it happened does not change with its text.
      const { occurredAt, observedAt } = first
      assert.deepEqual(occurrence.review, { ...second, occurredAt, observedAt, enrichment: null })
    })

    it('is understood again when its content changed, and only then', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const keep = async (body: string, rating: number) => {
        const review = reviewOf({ reviewId: 'a', body, rating })
        const wish = { ...ENRICH, readyAt: NOON }
        await storage.feeds.commitReviews(
          visitOf(await claimFeed(storage)),
          [review],
          false,
          wish,
          (known) => ({
            ...decideAll([review], NOON)(known),
            keep: [review],
            occurrences: [],
          }),
        )
      }
      const understand = async () => {
        const claimed = await claimTexts(storage, NOON)
        await storage.occurrences.commitEnrichment(
          claimed.map(({ reviewSeq, lease }) => ({
            reviewSeq,
            lease,
            enrichment: null,
            engine: { name: 'offline', version: '1' },
          })),
          NOON,
        )
        return textsOf(claimed)
      }
      await keep('good', 4)
      assert.deepEqual(await understand(), ['good'])
      await keep('good', 2)
      assert.deepEqual(await understand(), [])
      await keep('bad', 2)
      assert.deepEqual(await understand(), ['bad'])
    })

    it('that changes while it is being understood is not given what was understood of the old one', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a', body: 'good' })], {
        wish: ENRICH,
        nextPollAt: NOON,
      })
      const claimed = await claimTexts(storage, NOON)
      assert.deepEqual(textsOf(claimed), ['good'])
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a', body: 'bad' })], {
        wish: ENRICH,
      })
      await storage.occurrences.commitEnrichment(
        claimed.map(({ reviewSeq, lease }) => ({
          reviewSeq,
          lease,
          enrichment: null,
          engine: { name: 'offline', version: '1' },
        })),
        NOON,
      )
      assert.deepEqual(await takeOccurrences(storage, after(SECOND)), [])
      assert.deepEqual(textsOf(await claimTexts(storage, NOON, 'second')), ['bad'])
    })
  })
}
