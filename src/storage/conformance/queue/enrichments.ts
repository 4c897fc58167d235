import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Enrichment, EnrichmentEngine } from '../../../model/enrichment.ts'
import { type Instant, later } from '../../../runtime/instant.ts'
import type { ReviewToEnrich } from '../../port/occurrences.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimTexts,
  decideAll,
  HOUR,
  MINUTE,
  NOON,
  pollOf,
  reviewOf,
  SECOND,
  subscribe,
  takeOccurrences,
} from '../samples.ts'
import { enrichmentOf } from './queue-samples.ts'

const ENGINE: EnrichmentEngine = { name: 'offline', version: '1' }

/**
 * Detects reviews at `at`, which queues them for enrichment. Those in `awaited` become occurrences that wait for it.
 */
async function detect(
  storage: Storage,
  names: readonly string[],
  { awaited = names, at = NOON }: { awaited?: readonly string[]; at?: Instant } = {},
): Promise<void> {
  const reviews = names.map((name) =>
    reviewOf({ reviewId: name, body: name, occurredAt: at, observedAt: at }),
  )
  await storage.feeds.commitReviews(
    pollOf(await claimFeed(storage, { now: at }), { polledAt: at }),
    reviews,
    false,
    { readyAt: later(at, MINUTE), enrich: true },
    (known) => ({
      ...decideAll(reviews, at)(known),
      occurrences: reviews.filter(({ reviewId }) => awaited.includes(reviewId)),
    }),
  )
}

const names = (claimed: readonly ReviewToEnrich[]) => claimed.map(({ review }) => review.reviewId)

async function commit(
  storage: Storage,
  claimed: readonly ReviewToEnrich[],
  enrichment: Enrichment | null,
  now = NOON,
): Promise<void> {
  await storage.occurrences.commitEnrichment(
    claimed.map(({ reviewSeq, lease }) => ({
      reviewSeq,
      lease,
      enrichment,
      engine: ENGINE,
      failure: enrichment === null ? 'over_budget' : null,
    })),
    now,
  )
}

export function enrichmentsSuite({ open, openAgain }: Engine): void {
  describe('a claim of texts to enrich', () => {
    it('a claim of texts to enrich takes texts of pending occurrences first, oldest first, then the newest of the others', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['old one', 'old two'], { awaited: [] })
      await detect(storage, ['a', 'new', 'b'], { awaited: ['a', 'b'], at: after(SECOND) })
      const request = { now: after(SECOND), leaseMs: MINUTE }
      const first = await storage.occurrences.claimForEnrichment({ ...request, lease: 'one', limit: 3 })
      assert.deepEqual(names(first), ['a', 'b', 'new'])
      assert.deepEqual(
        first.map(({ lease }) => lease),
        ['one', 'one', 'one'],
      )
      const second = await storage.occurrences.claimForEnrichment({ ...request, lease: 'two', limit: 3 })
      assert.deepEqual(names(second), ['old two', 'old one'])
    })

    it('a claim of texts to enrich returns the stored review', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const [claimed] = await claimTexts(storage, NOON)
      assert.deepEqual(claimed?.review, { ...reviewOf({ reviewId: 'a', body: 'a' }), app: null })
    })

    it('a claim of texts to enrich gives no text to two callers', async () => {
      await using storage = await open()
      await using other = await openAgain()
      await addPeople(storage)
      await subscribe(storage)
      const all = Array.from({ length: 60 }, (_, index) => `review ${index}`)
      await detect(storage, all)
      const taken: string[] = []
      for (let round = 0; round < 60 && taken.length < all.length; round += 1) {
        const claims = await Promise.all(
          [storage, other, storage].map((each, index) =>
            each.occurrences.claimForEnrichment({
              now: NOON,
              limit: 5,
              lease: `${round} ${index}`,
              leaseMs: MINUTE,
            }),
          ),
        )
        taken.push(...names(claims.flat()))
      }
      assert.deepEqual(taken.sort(), all.sort())
    })

    it('a claim of texts to enrich returns a text again when its lease has expired', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      await claimTexts(storage, NOON, 'died')
      assert.deepEqual(await claimTexts(storage, after(MINUTE - 1)), [])
      assert.equal((await storage.maintenance.dueWork(NOON)).enrichAt?.getTime(), after(MINUTE).getTime())
      assert.deepEqual(names(await claimTexts(storage, after(MINUTE))), ['a'])
    })

    it('a claim of texts to enrich counts as a try, and a result starts the count anew', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const tries = async (now: Instant) => (await claimTexts(storage, now)).map((one) => one.tries)
      assert.deepEqual(await tries(NOON), [1])
      assert.deepEqual(await tries(after(MINUTE)), [2])
      const third = await claimTexts(storage, after(2 * MINUTE), 'third')
      assert.deepEqual(
        third.map((one) => one.tries),
        [3],
      )
      await commit(storage, third, null)
      await storage.occurrences.enrichAgain(new Date(0))
      assert.deepEqual(await tries(after(3 * MINUTE)), [1])
    })

    it('a claim of texts counts as a try after a release, unless the release is free', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      await storage.occurrences.releaseEnrichment(await claimTexts(storage, NOON), true)
      const [free] = await claimTexts(storage, NOON)
      assert.equal(free?.tries, 1)
      await storage.occurrences.releaseEnrichment(free === undefined ? [] : [free], false)
      assert.equal((await claimTexts(storage, NOON))[0]?.tries, 2)
    })

    it('a claim of texts to enrich takes texts with an expired lease one at a time, so that a crash counts only for its cause', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a', 'b', 'c'])
      assert.equal((await claimTexts(storage, NOON, 'died')).length, 3)
      await detect(storage, ['d'], { at: after(SECOND) })
      const now = after(MINUTE)
      assert.equal((await claimTexts(storage, now)).length, 1)
      assert.equal((await claimTexts(storage, now)).length, 1)
      assert.equal((await claimTexts(storage, now)).length, 1)
      assert.deepEqual(names(await claimTexts(storage, now)), ['d'])
    })

    it('a claim of texts to enrich is possible immediately after a release', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a', 'b'], { awaited: ['b'] })
      await storage.occurrences.releaseEnrichment(await claimTexts(storage, NOON, 'stopped'), true)
      assert.deepEqual(names(await claimTexts(storage, NOON)), ['b', 'a'])
    })

    it('a claim of texts to enrich stays with its current holder after a late release', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const late = await claimTexts(storage, NOON, 'late')
      await claimTexts(storage, after(MINUTE), 'current')
      await storage.occurrences.releaseEnrichment(late, true)
      assert.deepEqual(await claimTexts(storage, after(MINUTE)), [])
    })
  })

  describe('an enrichment', () => {
    it('an enrichment makes the occurrences that wait for it ready at once, and is included in them', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      await commit(storage, await claimTexts(storage, NOON), enrichmentOf(), after(SECOND))
      assert.deepEqual(await takeOccurrences(storage, NOON), [])
      const [occurrence] = await takeOccurrences(storage, after(SECOND))
      assert.ok(occurrence?.eventType === 'review.created')
      assert.deepEqual(occurrence.review.enrichment, enrichmentOf())
    })

    it('an enrichment that failed makes the occurrences that wait for it ready without one', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      await commit(storage, await claimTexts(storage, NOON), null)
      const [occurrence] = await takeOccurrences(storage, NOON)
      assert.ok(occurrence?.eventType === 'review.created')
      assert.equal(occurrence.review.enrichment, null)
      assert.deepEqual(await claimTexts(storage, after(HOUR)), [])
    })

    it('an enrichment that failed is shown with its reason until there is an enrichment', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const failures = (since: Instant) => storage.occurrences.enrichmentFailures(since)
      const [review] = await claimTexts(storage, NOON)
      assert.ok(review !== undefined)
      await commit(storage, [review], null)
      assert.deepEqual(await failures(NOON), [{ failure: 'over_budget', count: 1 }])
      assert.deepEqual(await failures(after(1)), [])
      const shown = () => storage.reports.review('alice', review.review.fingerprint)
      assert.equal((await shown())?.enrichmentFailure, 'over_budget')
      await storage.occurrences.enrichAgain(new Date(0))
      await commit(storage, await claimTexts(storage, NOON), enrichmentOf())
      assert.deepEqual(await failures(NOON), [])
      assert.equal((await shown())?.enrichmentFailure, null)
    })

    it('an enrichment with an expired lease is not stored and makes nothing ready', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const late = await claimTexts(storage, NOON, 'late')
      const current = await claimTexts(storage, after(MINUTE), 'current')
      await commit(storage, late, enrichmentOf({ summary_en: 'late' }))
      assert.deepEqual(await takeOccurrences(storage, after(SECOND)), [])
      await commit(storage, current, enrichmentOf({ summary_en: 'current' }))
      const [occurrence] = await takeOccurrences(storage, NOON)
      assert.ok(occurrence?.eventType === 'review.created')
      assert.equal(occurrence.review.enrichment?.summary_en, 'current')
    })

    it('an enrichment that is late does not change the occurrence', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const claimed = await claimTexts(storage, NOON)
      assert.equal((await takeOccurrences(storage, after(MINUTE))).length, 1)
      await commit(storage, claimed, enrichmentOf(), after(MINUTE))
      assert.deepEqual(await takeOccurrences(storage, after(HOUR)), [])
    })
  })

  describe('enriching again', () => {
    it('enriching again queues texts published since then, newest first, and creates no event', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      for (const [hours, name] of ['zero', 'one', 'two'].entries()) {
        await detect(storage, [name], { at: after(hours * HOUR) })
      }
      await commit(storage, await claimTexts(storage, after(2 * HOUR)), null, after(2 * HOUR))
      assert.equal((await takeOccurrences(storage, after(3 * HOUR))).length, 3)
      assert.equal(await storage.occurrences.enrichAgain(after(HOUR)), 2)
      assert.equal(await storage.occurrences.enrichAgain(after(HOUR)), 0)
      const claimed = await claimTexts(storage, after(3 * HOUR))
      assert.deepEqual(names(claimed), ['two', 'one'])
      await commit(storage, claimed, enrichmentOf(), after(3 * HOUR))
      assert.deepEqual(await takeOccurrences(storage, after(9 * HOUR)), [])
    })

    it('enriching again keeps the earlier enrichment when this one failed', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      await commit(storage, await claimTexts(storage, NOON), enrichmentOf())
      assert.equal(await storage.occurrences.enrichAgain(NOON), 1)
      await commit(storage, await claimTexts(storage, NOON), null)
      const [occurrence] = await takeOccurrences(storage, NOON)
      assert.ok(occurrence?.eventType === 'review.created')
      assert.deepEqual(occurrence.review.enrichment, enrichmentOf())
    })
  })

  describe('the slugs of requested features of an app', () => {
    it('the slugs of requested features of an app are those of its stored reviews, most frequent first', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      const requestedSlugs = ['widgets', 'dark_mode', 'widgets', null, 'export', 'export', 'widgets']
      await detect(
        storage,
        requestedSlugs.map((_, index) => `review ${index}`),
      )
      const claimed = await claimTexts(storage, NOON)
      for (const [index, text] of claimed.entries()) {
        const slug = requestedSlugs[index] ?? null
        const request = { is_feature_request: slug !== null, feature_slug: slug, feature_phrase: slug }
        await commit(storage, [text], enrichmentOf(request))
      }
      const { store, appId } = reviewOf({ reviewId: 'a' })
      const slugs = (limit: number) => storage.occurrences.knownSlugs(store, appId, limit)
      assert.deepEqual(await slugs(9), ['widgets', 'export', 'dark_mode'])
      assert.deepEqual(await slugs(2), ['widgets', 'export'])
      assert.deepEqual(await storage.occurrences.knownSlugs(store, 'another', 9), [])
    })

    it('the slugs of requested features of an app exclude those of replaced enrichments', async () => {
      await using storage = await open()
      await addPeople(storage)
      await subscribe(storage)
      await detect(storage, ['a'])
      const { store, appId } = reviewOf({ reviewId: 'a' })
      const request = { is_feature_request: true, feature_slug: 'widgets', feature_phrase: 'widgets' }
      await commit(storage, await claimTexts(storage, NOON), enrichmentOf(request))
      assert.deepEqual(await storage.occurrences.knownSlugs(store, appId, 9), ['widgets'])
      await storage.occurrences.enrichAgain(NOON)
      await commit(storage, await claimTexts(storage, NOON), enrichmentOf())
      assert.deepEqual(await storage.occurrences.knownSlugs(store, appId, 9), [])
    })
  })

  describe('requests to a model', () => {
    it('requests to a model are cached by content, with the last answer', async () => {
      await using storage = await open()
      await storage.occurrences.cacheEnrichment('one', enrichmentOf({ summary_en: 'first' }), NOON)
      await storage.occurrences.cacheEnrichment('one', enrichmentOf({ summary_en: 'second' }), NOON)
      await storage.occurrences.cacheEnrichment('two', enrichmentOf(), NOON)
      const cached = await storage.occurrences.cachedEnrichments(['one', 'three', 'two'])
      assert.deepEqual(
        cached,
        new Map([
          ['one', enrichmentOf({ summary_en: 'second' })],
          ['two', enrichmentOf()],
        ]),
      )
      assert.deepEqual(await storage.occurrences.cachedEnrichments([]), new Map())
    })

    it('a request to a model counts towards the daily limit, and is rejected and not counted above it', async () => {
      await using storage = await open()
      const spend = (day: string, requests: number) =>
        storage.occurrences.spendModelRequests(day, requests, 10)
      assert.equal(await spend('2026-03-01', 11), false)
      assert.equal(await spend('2026-03-01', 6), true)
      assert.equal(await spend('2026-03-01', 5), false)
      assert.equal(await spend('2026-03-01', 4), true)
      assert.equal(await spend('2026-03-01', 1), false)
      assert.equal(await spend('2026-03-02', 10), true)
    })

    it('the daily limit of a model is never exceeded by concurrent requests', async () => {
      await using storage = await open()
      await using other = await openAgain()
      const spent = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? storage : other).occurrences.spendModelRequests('2026-03-01', 1, 7),
        ),
      )
      assert.equal(spent.filter(Boolean).length, 7)
    })
  })
}
