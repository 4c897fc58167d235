import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contentHashOf, type Review } from '../../../model/review.ts'
import type { EnrichmentRequest } from '../../port/feeds.ts'
import type { ReviewToEnrich } from '../../port/occurrences.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
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
  pollOf,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
} from '../samples.ts'

const ENRICH: EnrichmentRequest = { readyAt: after(MINUTE), enrich: true }

const textsOf = (claimed: readonly ReviewToEnrich[]) => claimed.map(({ review }) => review.body)

/** Stores a failed enrichment for these texts. */
async function giveUp(storage: Storage, claimed: readonly ReviewToEnrich[]): Promise<void> {
  const engine = { name: 'offline', version: '1' } as const
  await storage.occurrences.commitEnrichment(
    claimed.map(({ reviewSeq, lease }) => ({
      reviewSeq,
      lease,
      enrichment: null,
      engine,
      failure: 'engine_failed' as const,
    })),
    NOON,
  )
}

/** Claims every queued text and stores a failed enrichment. Returns their ids. */
async function understand(storage: Storage): Promise<string[]> {
  const claimed = await claimTexts(storage, NOON)
  await giveUp(storage, claimed)
  return textsOf(claimed)
}

/** A poll at noon that stores these texts and creates these occurrences. */
async function pollWith(
  storage: Storage,
  { toStore = [], occurrences = [] }: { toStore?: readonly Review[]; occurrences?: readonly Review[] },
): Promise<void> {
  const feed = await claimFeed(storage)
  await storage.feeds.commitReviews(pollOf(feed), toStore, false, ENRICH, () => ({
    seen: toStore,
    toStore,
    occurrences,
    nextPollAt: NOON,
    intervalMs: MINUTE,
    reviewsPerDay: null,
  }))
}

export function reviewsSuite({ open }: Engine): void {
  describe('an occurrence of a review', () => {
    it('an occurrence of a review has the stored review, and is ready at once without enrichment', async () => {
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
        unseenAt: null,
        review: { ...review, enrichment: null },
      })
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })

    it('an occurrence of a review has the time of the last full poll that did not show it', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, { lateReviewsHours: 1 })
      const taken: unknown[] = []
      for (const [minutes, isIncomplete] of [
        [1, false],
        [2, true],
        [3, false],
        [4, false],
      ] as const) {
        const feed = await claimFeed(storage, { now: after(minutes * MINUTE) })
        const review = reviewOf({ reviewId: `at ${minutes}` })
        const polled = pollOf(feed, { polledAt: after(minutes * MINUTE) })
        const decide = decideAll([review], after((minutes + 1) * MINUTE))
        await storage.feeds.commitReviews(polled, [review], isIncomplete, NO_ENRICHMENT, decide)
        for (const occurrence of await takeOccurrences(storage, after(minutes * MINUTE)))
          taken.push([feed.forwardFrom, occurrence.eventType === 'review.created' && occurrence.unseenAt])
      }
      assert.deepEqual(taken, [
        [NOON, null],
        [after(-HOUR), after(MINUTE)],
        [NOON, null],
        [after(-HOUR), after(3 * MINUTE)],
      ])
    })

    it('an occurrence of a review waits for its enrichment for a limited time', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })], { enrichment: ENRICH })
      assert.deepEqual(await takeOccurrences(storage, after(MINUTE - 1)), [])
      assert.equal((await takeOccurrences(storage, after(MINUTE))).length, 1)
    })

    it('an occurrence of a review is created once for each market', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['gb'], NOON)
      const review = reviewOf({ reviewId: 'a' })
      for (const feed of await claimFeeds(storage)) {
        const inMarket = { ...review, market: feed.market }
        await storage.feeds.commitReviews(pollOf(feed), [inMarket], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([inMarket], after(SECOND))(known),
          occurrences: [inMarket],
        }))
      }
      assert.deepEqual(
        new Set((await takeOccurrences(storage, NOON)).map(({ market }) => market)),
        new Set(['us', 'gb']),
      )
      for (const feed of await claimFeeds(storage, { now: after(SECOND) })) {
        const inMarket = { ...review, market: feed.market }
        await storage.feeds.commitReviews(pollOf(feed), [inMarket], false, NO_ENRICHMENT, (known) => ({
          ...decideAll([])(known),
          occurrences: [inMarket],
        }))
      }
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })
  })

  describe('an occurrence of a stored text', () => {
    it('an occurrence of a stored text waits for its enrichment, which is done before texts without an occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const [held, newer] = [
        reviewOf({ reviewId: 'a', body: 'held' }),
        reviewOf({ reviewId: 'b', body: 'newer' }),
      ]
      await pollWith(storage, { toStore: [held, newer] })
      await pollWith(storage, { occurrences: [held] })
      assert.deepEqual(await takeOccurrences(storage, NOON), [])
      assert.deepEqual(await understand(storage), ['held', 'newer'])
      assert.equal((await takeOccurrences(storage, NOON)).length, 1)
    })

    it('an occurrence of a stored text is ready at once when it has an enrichment', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const held = reviewOf({ reviewId: 'a' })
      await pollWith(storage, { toStore: [held] })
      await understand(storage)
      await pollWith(storage, { occurrences: [held] })
      assert.equal((await takeOccurrences(storage, NOON)).length, 1)
    })
  })

  describe('a stored text', () => {
    it('a stored text is queued for enrichment, first with a pending occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const [old, fresh] = [
        reviewOf({ reviewId: 'old', body: 'old' }),
        reviewOf({ reviewId: 'new', body: 'new' }),
      ]
      await storage.feeds.commitReviews(
        pollOf(await claimFeed(storage)),
        [old, fresh],
        false,
        ENRICH,
        (known) => ({ ...decideAll([old, fresh])(known), occurrences: [fresh] }),
      )
      assert.deepEqual(textsOf(await claimTexts(storage, NOON)), ['new', 'old'])
    })

    it('a stored text is not queued when enrichment is off', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a' })])
      assert.deepEqual(await claimTexts(storage, after(HOUR)), [])
    })

    it('a stored text is replaced by the current text of the store', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const first = reviewOf({ reviewId: 'a', body: 'good', rating: 5, edited: null })
      await poll(storage, await claimFeed(storage), [first], { enrichment: ENRICH, nextPollAt: NOON })
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
      await poll(storage, await claimFeed(storage), [second], { enrichment: ENRICH, nextPollAt: NOON })
      // Another source of the store that does not report edits.
      const third = {
        ...second,
        body: 'very bad',
        contentHash: contentHashOf('Changed', 'very bad'),
        edited: null,
      }
      await poll(storage, await claimFeed(storage), [third], { enrichment: ENRICH })
      const [occurrence, ...more] = await takeOccurrences(storage, after(MINUTE))
      assert.deepEqual(more, [])
      assert.ok(occurrence?.eventType === 'review.created')
      // `occurred_at` does not change with the text.
      const { occurredAt, observedAt } = first
      assert.deepEqual(occurrence.review, {
        ...third,
        edited: true,
        occurredAt,
        observedAt,
        enrichment: null,
      })
    })

    it('a stored text is enriched again only after a change of its content', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const store = (body: string, rating: number) =>
        pollWith(storage, { toStore: [reviewOf({ reviewId: 'a', body, rating })] })
      await store('good', 4)
      assert.deepEqual(await understand(storage), ['good'])
      await store('good', 2)
      assert.deepEqual(await understand(storage), [])
      await store('bad', 2)
      assert.deepEqual(await understand(storage), ['bad'])
    })

    it('a stored text that changes while an occurrence waits for it is still enriched first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const first = reviewOf({ reviewId: 'a', body: 'good' })
      await pollWith(storage, { toStore: [first], occurrences: [first] })
      await pollWith(storage, {
        toStore: [reviewOf({ reviewId: 'a', body: 'bad' }), reviewOf({ reviewId: 'b', body: 'newer' })],
      })
      assert.deepEqual(await understand(storage), ['bad', 'newer'])
    })

    it('a stored text that changes during its enrichment does not get the enrichment of the old text', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a', body: 'good' })], {
        enrichment: ENRICH,
        nextPollAt: NOON,
      })
      const claimed = await claimTexts(storage, NOON)
      assert.deepEqual(textsOf(claimed), ['good'])
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'a', body: 'bad' })], {
        enrichment: ENRICH,
      })
      await giveUp(storage, claimed)
      assert.deepEqual(await takeOccurrences(storage, after(SECOND)), [])
      assert.deepEqual(textsOf(await claimTexts(storage, NOON, 'second')), ['bad'])
    })
  })
}
