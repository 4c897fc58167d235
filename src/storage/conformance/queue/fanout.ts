import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Occurrence } from '../../../model/occurrence.ts'
import type { Review } from '../../../model/review.ts'
import type { Candidate } from '../../port/occurrences.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  decideAll,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  pollOf,
  reviewOf,
  SECOND,
  stars,
  subscribe,
  takeOccurrences,
} from '../samples.ts'
import { claim, eventOf, idsOf, NO_CHANGE, observeRating, retryAt, settle } from './queue-samples.ts'

const REQUEST = { now: NOON, limit: 100, expireAfterMs: HOUR }

/** One review of each name, detected at noon. */
async function detect(storage: Storage, ...names: string[]): Promise<void> {
  const reviews = names.map((reviewId) => reviewOf({ reviewId }))
  await poll(storage, await claimFeed(storage), reviews, { nextPollAt: NOON })
}

/** The candidates of the only occurrence that is ready. */
async function candidates(storage: Storage): Promise<readonly Candidate[]> {
  const seen: (readonly Candidate[])[] = []
  await storage.occurrences.fanOut(REQUEST, (_, found) => {
    seen.push(found)
    return []
  })
  assert.equal(seen.length, 1)
  return seen[0] ?? []
}

/** A poll of each market returns the review. */
async function detectInMarkets(
  storage: Storage,
  review: Review,
  markets: readonly ('us' | 'gb')[],
): Promise<void> {
  await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, [...markets], NOON)
  const feeds = await claimFeeds(storage)
  for (const market of markets) {
    const feed = feeds.find((each) => each.market === market) ?? assert.fail(`${market} is not due`)
    const found = { ...review, market }
    await storage.feeds.commitReviews(pollOf(feed), [found], false, NO_ENRICHMENT, (known) => ({
      ...decideAll([found])(known),
      occurrences: [found],
    }))
  }
}

export function fanoutSuite({ open, openAgain }: Engine): void {
  describe('fan-out', () => {
    it('fan-out creates one delivery of each event, due at once, and takes an occurrence only once', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook: one } = await subscribe(storage)
      const { hook: two } = await subscribe(storage, { accountId: 'bob' })
      await detect(storage, 'a')
      const events = [eventOf(one, 'a'), eventOf(two, 'a')]
      assert.deepEqual(await storage.occurrences.fanOut(REQUEST, () => events), { occurrences: 1, events: 2 })
      assert.deepEqual(await storage.occurrences.fanOut(REQUEST, () => events), { occurrences: 0, events: 0 })
      const claimed = await claim(storage)
      assert.deepEqual(idsOf(claimed).sort(), idsOf(events).sort())
      assert.deepEqual(
        claimed.map(({ dueAt, createdAt, expiresAt }) => [dueAt, createdAt, expiresAt]),
        [0, 1].map(() => [NOON, NOON, after(HOUR)]),
      )
      const view = await storage.deliveries.get('bob', events[1]?.eventId ?? '')
      const { occurrenceId, eventType, store, appId, status } = view ?? {}
      assert.deepEqual(
        { occurrenceId, eventType, store, appId, status },
        {
          occurrenceId: reviewOf({ reviewId: 'a' }).fingerprint,
          eventType: 'review.created',
          store: 'apple',
          appId: '1',
          status: 'pending',
        },
      )
    })

    for (const limit of [1, 100]) {
      it(`fan-out creates the event of a review in two markets once, with the bytes of the first (${limit} a commit)`, async () => {
        await using storage = await open()
        await addPeople(storage)
        const { hook } = await subscribe(storage)
        await detectInMarkets(storage, reviewOf({ reviewId: 'a' }), ['us', 'gb'])
        let commits = 0
        let events = 0
        for (let found = 1; found > 0; commits += 1) {
          const done = await storage.occurrences.fanOut({ ...REQUEST, limit }, ({ occurrenceId, market }) => [
            { ...eventOf(hook, occurrenceId), body: market },
          ])
          found = done.occurrences
          events += done.events
        }
        assert.deepEqual([commits, events], [limit === 1 ? 3 : 2, 1])
        assert.deepEqual(
          (await claim(storage)).map(({ body }) => body),
          ['us'],
        )
      })
    }

    it('fan-out creates the event of a review once, although retention deleted the review before another market has it', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const fanOut = () =>
        storage.occurrences.fanOut(REQUEST, ({ occurrenceId }) => [eventOf(hook, occurrenceId)])
      await detectInMarkets(storage, reviewOf({ reviewId: 'a' }), ['us'])
      assert.deepEqual(await fanOut(), { occurrences: 1, events: 1 })
      while ((await storage.maintenance.prune(after(HOUR), 100)) > 0);
      await detectInMarkets(storage, reviewOf({ reviewId: 'a' }), ['gb'])
      assert.deepEqual(await fanOut(), { occurrences: 1, events: 0 })
    })

    it('fan-out creates the event of a drop once, although two markets have it', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 100_000 })
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['gb'], NOON)
      for (const [value, at] of [
        [4.5, NOON],
        [4.2, after(HOUR)],
      ] as const)
        await observeRating(storage, value, at)
      const { events } = await storage.occurrences.fanOut(
        { ...REQUEST, now: after(HOUR) },
        ({ occurrenceId }) => [eventOf(hook, occurrenceId)],
      )
      assert.equal(events, 1)
    })

    it('fan-out keeps every byte of a body', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await detect(storage, 'a')
      const body = '{"title":"Zürich 👍🏽 \\u0000 \u2028","n":-0.1}\n'
      await storage.occurrences.fanOut(REQUEST, () => [{ ...eventOf(hook, 'a'), body }])
      assert.equal((await claim(storage))[0]?.body, body)
    })

    it('fan-out takes at most the limit, in the order of detection', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, 'a', 'b', 'c')
      const taken: string[] = []
      const take = (occurrence: Occurrence) => {
        assert.ok(occurrence.eventType === 'review.created')
        taken.push(occurrence.review.reviewId)
        return []
      }
      const request = { ...REQUEST, limit: 2 }
      assert.equal((await storage.occurrences.fanOut(request, take)).occurrences, 2)
      assert.equal((await storage.occurrences.fanOut(request, take)).occurrences, 1)
      assert.deepEqual(taken, ['a', 'b', 'c'])
    })

    it('fan-out stops after very many events and continues where it stopped', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await detect(storage, 'a', 'b')
      const many = (occurrence: Occurrence) =>
        Array.from({ length: 5_000 }, (_, index) => eventOf(hook, `${occurrence.occurrenceId} ${index}`))
      assert.deepEqual(await storage.occurrences.fanOut(REQUEST, many), { occurrences: 1, events: 5_000 })
      assert.deepEqual(await storage.occurrences.fanOut(REQUEST, many), { occurrences: 1, events: 5_000 })
    })

    it('fan-out stores nothing when the decision fails', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await detect(storage, 'a', 'b')
      let decided = 0
      const failing = storage.occurrences.fanOut(REQUEST, () => {
        decided += 1
        if (decided === 2) throw new Error('a bug')
        return [eventOf(hook, 'a')]
      })
      await assert.rejects(failing, /a bug/)
      assert.deepEqual(await claim(storage), [])
      assert.equal((await takeOccurrences(storage, NOON)).length, 2)
    })

    it('fan-out takes every occurrence once when two nodes fan out concurrently', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      await detect(storage, ...Array.from({ length: 40 }, (_, index) => `review ${index}`))
      const results = await Promise.all(
        [storage, other, storage, other].map((each) =>
          each.occurrences.fanOut({ ...REQUEST, limit: 20 }, (occurrence) => [
            eventOf(hook, occurrence.occurrenceId),
          ]),
        ),
      )
      const sum = (key: 'occurrences' | 'events') => results.reduce((total, each) => total + each[key], 0)
      const rest = await takeOccurrences(storage, NOON)
      assert.equal(sum('occurrences') + rest.length, 40)
      assert.equal(sum('events'), sum('occurrences'))
      assert.equal((await claim(storage)).length, sum('events'))
    })

    it('fan-out returns both ratings of a drop', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 100_000 })
      const drop = {
        occurrenceId: reviewOf({ reviewId: 'x' }).fingerprint,
        previous: stars(4.5),
        current: stars(4.4, 120),
      }
      const feed = await claimFeed(storage, { kind: 'rating' })
      await storage.feeds.commitRatings([{ ...pollOf(feed), rating: drop.current }], () => ({
        baseline: drop.current,
        drop,
        nextPollAt: after(HOUR),
        intervalMs: HOUR,
      }))
      const [occurrence, ...more] = await takeOccurrences(storage, NOON)
      assert.deepEqual(more, [])
      assert.ok(occurrence)
      assert.deepEqual(occurrence, {
        seq: occurrence.seq,
        ...drop,
        market: 'us',
        store: 'apple',
        appId: '1',
        eventType: 'rating.dropped',
        highs: [{ micros: drop.previous.micros, ageMs: 0 }],
        occurredAt: NOON,
        observedAt: NOON,
      })
    })
  })

  describe('the candidates of an occurrence', () => {
    it('the candidates of an occurrence are the watches on its app and type, of active and paused hooks', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { watch: active } = await subscribe(storage, { createdAt: NOON })
      const { hook: paused, watch: held } = await subscribe(storage, { createdAt: after(1) })
      await storage.hooks.setStatus('alice', paused.id, 'paused', NOON)
      const { hook: deleted } = await subscribe(storage)
      await storage.hooks.remove('alice', deleted.id, NOON)
      await subscribe(storage, {}, { eventType: 'rating.dropped', deltaMicros: 1 })
      await subscribe(storage, {}, { store: 'google' })
      await detect(storage, 'a')
      await subscribe(storage, {}, { appId: '2' })
      assert.deepEqual(
        (await candidates(storage)).map(({ watch }) => watch),
        [active, held],
      )
    })

    it('the candidates of an occurrence exclude the watches of a hook that is gone', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { hook } = await subscribe(storage)
      const { watch: other } = await subscribe(storage, { accountId: 'bob' })
      await detect(storage, 'a')
      await storage.occurrences.fanOut(REQUEST, () => [eventOf(hook, 'a')])
      await settle(storage, await claim(storage), retryAt(NOON), { change: { ...NO_CHANGE, gone: true } })
      await detect(storage, 'b')
      assert.deepEqual(
        (await candidates(storage)).map(({ watch }) => watch),
        [other],
      )
    })

    it('the candidates of an occurrence have the storefronts that their account watches, and the late reviews of their hook', async () => {
      await using storage = await open()
      await addPeople(storage)
      const { watch: everywhere } = await subscribe(storage, { createdAt: NOON })
      await subscribe(storage, { createdAt: after(1) }, { storefronts: ['de'], eventType: 'rating.dropped' })
      const { watch: bobs } = await subscribe(
        storage,
        { accountId: 'bob', createdAt: after(2), lateReviewsHours: 24 },
        { storefronts: ['fr'] },
      )
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '1' }, ['jp'], NOON)
      await storage.hooks.trackStorefronts('alice', { store: 'apple', appId: '2' }, ['it'], NOON)
      for (const feed of await claimFeeds(storage)) {
        if (feed.market !== 'us' || feed.appId !== '1') continue
        const review = reviewOf({ reviewId: 'a' })
        await storage.feeds.commitReviews(pollOf(feed), [review], false, NO_ENRICHMENT, decideAll([review]))
      }
      const none = { slideFiredAt: null, spikeFiredAt: null }
      assert.deepEqual(await candidates(storage), [
        { watch: everywhere, storefronts: ['us', 'de', 'jp'], lateReviewsHours: 0, ...none },
        { watch: bobs, storefronts: ['fr'], lateReviewsHours: 24, ...none },
      ])
    })
  })

  describe('an occurrence that waits for its enrichment', () => {
    it('an occurrence that waits for its enrichment is taken after its wait, after ready ones', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const review = reviewOf({ reviewId: 'a' })
      await poll(storage, await claimFeed(storage), [review], {
        nextPollAt: NOON,
        enrichment: { readyAt: after(MINUTE), enrich: true },
      })
      await detect(storage, 'b')
      assert.equal((await takeOccurrences(storage, after(SECOND))).length, 1)
      assert.equal((await storage.maintenance.dueWork(NOON)).fanOutAt?.getTime(), after(MINUTE).getTime())
      assert.equal((await takeOccurrences(storage, after(MINUTE))).length, 1)
    })
  })
}
