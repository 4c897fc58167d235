import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Review } from '../../../model/review.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import { type Instant, later } from '../../../runtime/instant.ts'
import type { KnownOfficial, LeasedSource, OfficialReview } from '../../port/review-sources.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { jump } from '../maintenance/time.ts'
import { connectionOf } from '../people/store-connections.ts'
import { eventOf } from '../queue/queue-samples.ts'
import {
  addPeople,
  after,
  claimFeed,
  claimFeeds,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  pollSet,
  reviewOf,
  subscribe,
} from '../samples.ts'

/** A wrong clock. */
const AHEAD = 400 * 24 * HOUR
const APP = { store: 'apple', appId: '1' } as const

function officialOf(reviewId: string, given: Partial<Review> = {}): OfficialReview {
  const fingerprint = officialFingerprintOf('alice', 'apple', '1', reviewId)
  return {
    review: reviewOf({ reviewId, market: 'us~alice', fingerprint, ...given }),
    publicFingerprints: [],
    replyText: null,
  }
}

async function claimSource(storage: Storage, now = NOON, lease = 'lease'): Promise<LeasedSource> {
  const [source] = await storage.reviewSources.claim({ now, lease, leaseMs: MINUTE, limit: 1 })
  assert.ok(source, 'no source is due')
  return source
}
const pollOf = ({ id, lease }: LeasedSource, polledAt = NOON) => ({
  sourceId: id,
  lease,
  polledAt,
  nextPollAt: later(polledAt, 5 * MINUTE),
})

/** A poll whose reviews become occurrences unless the source or a public feed has shown them. Returns what was known. */
async function pollSource(
  storage: Storage,
  fetched: readonly OfficialReview[],
  now = NOON,
): Promise<KnownOfficial | undefined> {
  const source = await claimSource(storage, now)
  let given: KnownOfficial | undefined
  await storage.reviewSources.commit(pollOf(source, now), fetched, false, NO_ENRICHMENT, (known) => {
    given = known
    const unseen = fetched.filter(({ review }) => !known.seen.has(review.fingerprint))
    const isPublic = ({ publicFingerprints }: OfficialReview) =>
      publicFingerprints.some((fingerprint) => known.publicSeen.has(fingerprint))
    const reviews = unseen.filter((each) => !isPublic(each)).map(({ review }) => review)
    return { seen: unseen, toStore: reviews, occurrences: reviews }
  })
  return given
}

/** Alice and Bob watch the app, and Alice has a connection. */
async function prepared(open: Engine['open']): Promise<Storage> {
  const storage = await open()
  await addPeople(storage)
  await subscribe(storage, { id: 'api-a', accountId: 'alice' }, { id: 'wat_a', ...APP })
  await subscribe(storage, { id: 'api-b', accountId: 'bob' }, { id: 'wat_b', ...APP })
  await storage.storeConnections.create(connectionOf(), 9)
  return storage
}

/** Fans out and returns the accounts that each review is offered to, e.g. `a: alice bob`. */
async function offered(storage: Storage, now = after(HOUR)): Promise<string[]> {
  const lines: string[] = []
  await storage.occurrences.fanOut({ now, limit: 1_000, expireAfterMs: HOUR }, (occurrence, candidates) => {
    const id = occurrence.eventType === 'review.created' ? occurrence.review.reviewId : ''
    lines.push(
      `${id}: ${candidates
        .map(({ watch }) => watch.accountId)
        .sort()
        .join(' ')}`,
    )
    return []
  })
  return lines.sort()
}

export function reviewSourcesSuite({ open }: Engine): void {
  describe('sources of reviews', () => {
    it('sources of reviews change to a connection of the same account only', async () => {
      await using storage = await prepared(open)
      assert.equal(await storage.reviewSources.use('bob', APP, 'con_1', NOON), false)
      assert.equal(await storage.reviewSources.use('alice', APP, 'con_1', NOON), true)
      const [source, ...others] = await storage.reviewSources.list('alice')
      assert.deepEqual(others, [])
      assert.equal(source?.state, 'switching')
      assert.deepEqual(await storage.reviewSources.list('bob'), [])
    })

    it('sources of reviews are leased once, with their credentials, and fenced by the lease', async () => {
      await using storage = await prepared(open)
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      const source = await claimSource(storage)
      assert.equal(source.connection.credentials, connectionOf().credentials)
      const again = { now: NOON, lease: 'other', leaseMs: MINUTE, limit: 9 }
      assert.deepEqual(await storage.reviewSources.claim(again), [])
      assert.deepEqual(
        (await storage.maintenance.dueWork(NOON)).officialAt,
        after(MINUTE),
        'the end of the lease',
      )
      await claimSource(storage, after(2 * MINUTE), 'later')
      const committed = storage.reviewSources.commit(pollOf(source), [], false, NO_ENRICHMENT, () => {
        assert.fail('a lost lease decides nothing')
      })
      assert.equal(await committed, false)
    })

    it('sources of reviews take over with the first good poll, which ends the public polls for this account', async () => {
      await using storage = await prepared(open)
      await storage.hooks.remove('bob', 'api-b', NOON)
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
      const failing = await claimSource(storage)
      await storage.reviewSources.fail(pollOf(failing), 'The key was revoked.')
      const [failed] = await storage.reviewSources.list('alice')
      assert.deepEqual(
        [failed?.state, failed?.failures, failed?.problem],
        ['switching', 1, 'The key was revoked.'],
      )
      await pollSource(storage, [officialOf('a')], after(HOUR))
      const [source] = await storage.reviewSources.list('alice')
      assert.deepEqual([source?.state, source?.failures, source?.problem], ['official', 0, null])
      assert.deepEqual(source?.lastOkAt, after(HOUR))
      assert.deepEqual(await pollSet(storage), [])
      await storage.reviewSources.leave('alice', APP, after(HOUR))
      assert.deepEqual(await pollSet(storage), ['apple 1 reviews us'])
    })

    it('sources of reviews offer each review to the accounts of its source', async () => {
      await using storage = await prepared(open)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'before' })])
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      await pollSource(storage, [officialOf('private')])
      const feed = await claimFeed(storage, { now: after(HOUR) })
      await poll(storage, feed, [reviewOf({ reviewId: 'since' })])
      assert.deepEqual(await offered(storage, after(2 * HOUR)), [
        'before: alice bob',
        'private: alice',
        'since: bob',
      ])
    })

    it('sources of reviews know which reviews the public pages showed before the change, and not which since', async () => {
      await using storage = await prepared(open)
      const before = reviewOf({ reviewId: 'before' })
      await poll(storage, await claimFeed(storage), [before])
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      const linked = { ...officialOf('x'), publicFingerprints: [before.fingerprint] }
      const first = await pollSource(storage, [linked])
      assert.deepEqual([...(first?.publicSeen ?? [])], [before.fingerprint])
      assert.deepEqual(
        first?.publicReviews.map(({ key }) => key),
        [before.fingerprint],
      )
      assert.deepEqual(first?.publicUntil, NOON)
      assert.equal(first?.isPublicPolled, true)

      const since = reviewOf({ reviewId: 'since' })
      await poll(storage, await claimFeed(storage, { now: after(HOUR) }), [since])
      const both = { ...officialOf('y'), publicFingerprints: [since.fingerprint, before.fingerprint] }
      const second = await pollSource(storage, [linked, both], after(HOUR))
      assert.deepEqual([...(second?.publicSeen ?? [])], [before.fingerprint])
      assert.deepEqual(second?.publicReviews, [], 'the public review is linked already')
      assert.deepEqual([...(second?.seen ?? [])], [linked.review.fingerprint])
    })

    it('an app that leaves its source gets only what the official source did not show', async () => {
      await using storage = await prepared(open)
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      const byId = reviewOf({ reviewId: 'id', body: 'Other words', author: 'x' })
      const byText = reviewOf({ reviewId: 'text', author: 'Ann', body: 'The same words' })
      const official = [
        { ...officialOf('o1'), publicFingerprints: [byId.fingerprint] },
        officialOf('o2', { author: 'Ann', body: 'The same words' }),
      ]
      await pollSource(storage, official)
      assert.deepEqual(await offered(storage), ['o1: alice', 'o2: alice'])

      // Bob got it while the official source had not shown it yet.
      const missed = reviewOf({ reviewId: 'missed', author: 'Mia', body: 'Not yet shown' })
      await poll(storage, await claimFeed(storage, { now: after(HOUR) }), [missed])
      assert.deepEqual(await offered(storage, after(2 * HOUR)), ['missed: bob'])
      await storage.reviewSources.leave('alice', APP, after(2 * HOUR))
      assert.deepEqual(await offered(storage, after(2 * HOUR)), ['missed: alice bob'])

      const twin = reviewOf({ reviewId: 'twin', author: null, body: 'The same words', rating: 1 })
      const feed = await claimFeed(storage, { now: after(3 * HOUR) })
      await poll(storage, feed, [byId, byText, twin])
      assert.deepEqual(await offered(storage, after(4 * HOUR)), ['id: bob', 'text: bob', 'twin: alice bob'])
    })

    it('an app that leaves its source gives nothing again to those who have it', async () => {
      await using storage = await prepared(open)
      const fanOut = async (now: Instant) => {
        const created: string[] = []
        const request = { now, limit: 1_000, expireAfterMs: HOUR }
        const { events } = await storage.occurrences.fanOut(request, (occurrence, candidates) =>
          candidates.map(({ watch: { hookId, accountId } }) => {
            created.push(accountId)
            return { ...eventOf({ id: hookId, accountId }, occurrence.occurrenceId) }
          }),
        )
        return { decided: created.sort(), events }
      }
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      await pollSource(storage, [])
      const missed = reviewOf({ reviewId: 'missed', author: 'Mia', body: 'Not yet shown' })
      await poll(storage, await claimFeed(storage, { now: after(HOUR) }), [missed])
      assert.deepEqual(await fanOut(after(2 * HOUR)), { decided: ['bob'], events: 1 })
      await storage.reviewSources.leave('alice', APP, after(2 * HOUR))
      assert.deepEqual(await fanOut(after(2 * HOUR)), { decided: ['alice', 'bob'], events: 1 })
    })

    it('sources of reviews offer a review once although they change again before its fan-out', async () => {
      await using storage = await prepared(open)
      const sources = storage.reviewSources
      const [a, b] = ['a', 'b'].map((reviewId) => reviewOf({ reviewId, author: reviewId }))
      assert.ok(a && b)
      await poll(storage, await claimFeed(storage), [a])
      await sources.use('alice', APP, 'con_1', NOON)
      const linked = { ...officialOf('oa'), publicFingerprints: [a.fingerprint] }
      await pollSource(storage, [linked])
      await sources.leave('alice', APP, after(MINUTE))
      assert.deepEqual(await offered(storage), ['a: alice bob'], 'the official source did not offer it')

      await sources.use('alice', APP, 'con_1', after(HOUR))
      const shown = { ...officialOf('ob'), publicFingerprints: [b.fingerprint] }
      await pollSource(storage, [linked, shown], after(HOUR))
      assert.deepEqual(await offered(storage, after(2 * HOUR)), ['ob: alice'])
      await sources.leave('alice', APP, after(2 * HOUR))
      await poll(storage, await claimFeed(storage, { now: after(3 * HOUR) }), [a, b])
      await sources.use('alice', APP, 'con_1', after(3 * HOUR))
      await pollSource(storage, [linked, shown], after(3 * HOUR))
      assert.deepEqual(await offered(storage, after(4 * HOUR)), ['b: bob'])
    })

    it('sources of reviews link a public review by content also after a poll with a clock that was behind', async () => {
      await using storage = await prepared(open)
      await storage.reviewSources.use('alice', APP, 'con_1', after(-25 * HOUR))
      const words = { author: 'Ann', body: 'The same words' }
      await pollSource(storage, [officialOf('o', words)], after(-25 * HOUR))
      await storage.reviewSources.leave('alice', APP, NOON)
      await offered(storage)
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'text', ...words })])
      assert.deepEqual(await offered(storage), ['text: bob'])
    })

    it('an app that leaves its source gets a review although the source showed another one with the same words', async () => {
      await using storage = await prepared(open)
      const words = { author: null, body: 'Great app', rating: 5 }
      const early = { ...words, occurredAt: NOON, shownAt: NOON }
      await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'same', ...early })])
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      await pollSource(storage, [officialOf('o', early)])
      await offered(storage)
      await storage.reviewSources.leave('alice', APP, after(HOUR))
      const other = reviewOf({ reviewId: 'other', ...words, occurredAt: after(HOUR), shownAt: after(HOUR) })
      await poll(storage, await claimFeed(storage, { now: after(HOUR) }), [other])
      assert.deepEqual(await offered(storage, after(2 * HOUR)), ['other: alice bob'])
    })

    it('sources of reviews that change while the clock is ahead do not take new reviews for old ones', async () => {
      await using storage = await prepared(open)
      await jump(storage, NOON, after(AHEAD))
      for (const feed of await claimFeeds(storage, { now: after(AHEAD) }))
        await poll(storage, feed, [], { poll: { polledAt: after(AHEAD) } })
      await storage.reviewSources.use('alice', APP, 'con_1', after(AHEAD))
      const known = await pollSource(storage, [], after(AHEAD))
      assert.deepEqual(known?.publicUntil, NOON)

      // Bob's poll finds a review that the official source does not show yet.
      const [feed] = await claimFeeds(storage, { now: after(AHEAD + HOUR) })
      assert.ok(feed)
      const review = reviewOf({ reviewId: 'new', occurredAt: after(MINUTE), observedAt: after(AHEAD + HOUR) })
      await poll(storage, feed, [review], { poll: { polledAt: after(AHEAD + HOUR) } })
      assert.deepEqual(await offered(storage, after(AHEAD + HOUR)), ['new: bob'])
      await storage.reviewSources.leave('alice', APP, after(AHEAD + HOUR))
      assert.deepEqual(await offered(storage, after(AHEAD + 2 * HOUR)), ['new: alice bob'])
    })

    it('sources of reviews end with their connection', async () => {
      await using storage = await prepared(open)
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      await pollSource(storage, [])
      assert.equal(await storage.storeConnections.remove('alice', 'con_1', after(MINUTE)), true)
      const [source] = await storage.reviewSources.list('alice')
      assert.deepEqual([source?.state, source?.connectionId, source?.nextPollAt], ['public', null, null])
      assert.deepEqual(
        await storage.reviewSources.claim({ now: after(HOUR), lease: 'x', leaseMs: 1, limit: 9 }),
        [],
      )
    })

    it('sources of reviews are stale when their last good poll is too long ago', async () => {
      await using storage = await prepared(open)
      await storage.reviewSources.use('alice', APP, 'con_1', NOON)
      await pollSource(storage, [])
      assert.deepEqual(await storage.reviewSources.stale('apple', NOON, null), [])
      assert.equal((await storage.reviewSources.stale('apple', after(1), null)).length, 1)
      assert.equal((await storage.reviewSources.stale('apple', after(1), 'alice')).length, 1)
      assert.deepEqual(await storage.reviewSources.stale('apple', after(1), 'bob'), [])
      assert.deepEqual(await storage.reviewSources.stale('google', after(1), null), [])
      await storage.reviewSources.leave('alice', APP, after(HOUR))
      await storage.reviewSources.use('alice', APP, 'con_1', after(HOUR))
      assert.deepEqual(await storage.reviewSources.stale('apple', after(HOUR), null), [])
      assert.equal((await storage.reviewSources.stale('apple', after(HOUR + 1), null)).length, 1)
      await storage.hooks.remove('alice', 'api-a', after(2 * HOUR))
      assert.deepEqual(await storage.reviewSources.stale('apple', after(2 * HOUR), null), [])
    })
  })
}
