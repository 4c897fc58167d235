import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Review } from '../../../model/review.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { HistoryCommit, KnownHistory, LeasedHistory } from '../../port/review-histories.ts'
import type { OfficialReview } from '../../port/review-sources.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { connectionOf } from '../people/store-connections.ts'
import { addPeople, after, HOUR, MINUTE, NO_ENRICHMENT, NOON, reviewOf, subscribe } from '../samples.ts'

const APP = { store: 'apple', appId: '1' } as const

function officialOf(reviewId: string, given: Partial<Review> = {}): OfficialReview {
  const fingerprint = officialFingerprintOf('alice', 'apple', '1', reviewId)
  return {
    review: reviewOf({ reviewId, market: 'us~alice', fingerprint, ...given }),
    publicFingerprints: [],
    replyText: null,
  }
}

/** Alice's reviews of the app come from her connection, which showed one review. */
async function prepared(open: Engine['open']): Promise<Storage> {
  const storage = await open()
  await addPeople(storage)
  await subscribe(storage, { id: 'api-a', accountId: 'alice' }, { id: 'wat_a', ...APP })
  await storage.storeConnections.create(connectionOf(), 9)
  await storage.reviewSources.use('alice', APP, 'con_1', NOON)
  const [source] = await storage.reviewSources.claim({ now: NOON, lease: 'poll', leaseMs: MINUTE, limit: 1 })
  assert.ok(source)
  const poll = { sourceId: source.id, lease: 'poll', polledAt: NOON, nextPollAt: after(HOUR) }
  const polled = officialOf('polled')
  await storage.reviewSources.commit(poll, [polled], false, NO_ENRICHMENT, () => ({
    seen: [polled],
    toStore: [polled.review],
    occurrences: [],
  }))
  return storage
}

async function claim(storage: Storage, now = NOON, lease = 'lease'): Promise<LeasedHistory> {
  const history = await storage.reviewHistories.claim({ now, lease, leaseMs: MINUTE })
  assert.ok(history, 'no history is due')
  return history
}

function pageOf({ sourceId, lease }: LeasedHistory, given: Partial<HistoryCommit> = {}): HistoryCommit {
  const nextAt = after(MINUTE)
  const counts = { ratingsOnly: 0, malformed: 0, progress: null }
  return { sourceId, lease, at: NOON, next: 'page-2', nextAt, ...counts, ...given }
}

/** Commits a page that stores everything which is not stored. Returns what was known. */
async function read(
  storage: Storage,
  page: HistoryCommit,
  fetched: readonly OfficialReview[],
): Promise<KnownHistory | undefined> {
  let given: KnownHistory | undefined
  await storage.reviewHistories.commit(page, fetched, false, (known) => {
    given = known
    const unseen = fetched.filter(({ review }) => !known.seen.has(review.fingerprint))
    return { seen: unseen, toStore: unseen.map(({ review }) => review), occurrences: [] }
  })
  return given
}

export function reviewHistoriesSuite({ open }: Engine): void {
  describe('histories of official sources', () => {
    it('histories of official sources start only for an app with an official source of the account', async () => {
      await using storage = await prepared(open)
      assert.equal(await storage.reviewHistories.start('bob', APP, NOON), false)
      assert.equal(await storage.reviewHistories.start('alice', { ...APP, appId: '2' }, NOON), false)
      assert.equal(await storage.reviewHistories.start('alice', APP, NOON), true)
      const [history, ...others] = await storage.reviewHistories.list('alice')
      assert.deepEqual(others, [])
      assert.deepEqual([history?.state, history?.reviews, history?.progress], ['running', 0, null])
      assert.deepEqual(await storage.reviewHistories.list('bob'), [])
    })

    it('histories of official sources are read page by page, without occurrences', async () => {
      await using storage = await prepared(open)
      await storage.reviewHistories.start('alice', APP, NOON)
      const first = await claim(storage)
      assert.equal(first.cursor, null)
      assert.equal(first.connection.credentials, connectionOf().credentials)
      const known = await read(
        storage,
        pageOf(first, { progress: { done: 2, total: 3 }, ratingsOnly: 4, malformed: 1 }),
        [officialOf('polled'), officialOf('old')],
      )
      assert.deepEqual([...(known?.seen ?? [])], [officialOf('polled').review.fingerprint])
      assert.deepEqual(
        known?.shownAt.get(officialOf('polled').review.fingerprint),
        officialOf('polled').review.shownAt,
      )
      const [running] = await storage.reviewHistories.list('alice')
      assert.deepEqual(
        [
          running?.state,
          running?.reviews,
          running?.added,
          running?.known,
          running?.ratingsOnly,
          running?.malformed,
        ],
        ['running', 2, 1, 1, 4, 1],
      )
      assert.deepEqual(running?.progress, { done: 2, total: 3 })
      assert.equal(
        await storage.reviewHistories.claim({ now: NOON, lease: 'x', leaseMs: 1 }),
        null,
        'not due yet',
      )
      const dueAt = async () => (await storage.maintenance.dueWork(NOON)).historyAt
      assert.deepEqual(await dueAt(), after(MINUTE))
      const second = await claim(storage, after(MINUTE))
      assert.equal(second.cursor, 'page-2')
      await read(storage, pageOf(second, { next: null }), [officialOf('older')])
      const [done] = await storage.reviewHistories.list('alice')
      assert.deepEqual([done?.state, done?.reviews, done?.added], ['done', 3, 2])
      assert.equal(await dueAt(), null)
      assert.deepEqual(done?.progress, { done: 2, total: 3 })
      const filter = { store: 'apple', appId: '1' } as const
      assert.equal(await storage.reports.countReviews('alice', filter, 99), 3)
      assert.equal(await storage.reports.countReviews('bob', filter, 99), 0)
      const offered: string[] = []
      await storage.occurrences.fanOut({ now: after(HOUR), limit: 99, expireAfterMs: HOUR }, (occurrence) => {
        offered.push(occurrence.eventType)
        return []
      })
      assert.deepEqual(offered, [])
      assert.equal(await storage.reviewHistories.claim({ now: after(HOUR), lease: 'x', leaseMs: 1 }), null)
    })

    it('histories of official sources are fenced by the lease', async () => {
      await using storage = await prepared(open)
      await storage.reviewHistories.start('alice', APP, NOON)
      const lost = await claim(storage)
      assert.equal(await storage.reviewHistories.claim({ now: NOON, lease: 'x', leaseMs: 1 }), null)
      await claim(storage, after(MINUTE), 'later')
      assert.equal(await read(storage, pageOf(lost), [officialOf('old')]), undefined)
      await storage.reviewHistories.fail({ ...lost, at: NOON }, 'late', null, false)
      const [history] = await storage.reviewHistories.list('alice')
      assert.deepEqual([history?.state, history?.reviews, history?.problem], ['running', 0, null])
    })

    it('histories of official sources continue after a stop and a failure at their page, and from the start when asked', async () => {
      await using storage = await prepared(open)
      await storage.reviewHistories.start('alice', APP, NOON)
      await read(storage, pageOf(await claim(storage)), [officialOf('old')])
      assert.equal(await storage.reviewHistories.stop('bob', APP, NOON), false)
      assert.equal(await storage.reviewHistories.stop('alice', APP, NOON), true)
      assert.equal(await storage.reviewHistories.stop('alice', APP, NOON), false)
      assert.equal(await storage.reviewHistories.claim({ now: after(HOUR), lease: 'x', leaseMs: 1 }), null)
      await storage.reviewHistories.start('alice', APP, NOON)
      const resumed = await claim(storage)
      assert.deepEqual([resumed.cursor, resumed.reviews], ['page-2', 1])

      await storage.reviewHistories.fail({ ...resumed, at: NOON }, 'No answer.', after(MINUTE), false)
      const again = await claim(storage, after(MINUTE))
      assert.deepEqual([again.cursor, again.failures, again.problem], ['page-2', 1, 'No answer.'])
      await storage.reviewHistories.fail({ ...again, at: NOON }, 'Refused.', after(MINUTE), true)
      const restarted = await claim(storage, after(MINUTE))
      assert.equal(restarted.cursor, null)
      await storage.reviewHistories.fail({ ...restarted, at: NOON }, 'No right.', null, false)
      const [failed] = await storage.reviewHistories.list('alice')
      assert.deepEqual([failed?.state, failed?.problem], ['failed', 'No right.'])
      await storage.reviewHistories.start('alice', APP, NOON)
      assert.equal((await claim(storage)).failures, 0)
    })

    it('histories of official sources wait while the account gets the reviews elsewhere, and start again when complete', async () => {
      await using storage = await prepared(open)
      await storage.reviewHistories.start('alice', APP, NOON)
      await storage.reviewSources.leave('alice', APP, NOON)
      assert.equal(await storage.reviewHistories.claim({ now: after(HOUR), lease: 'x', leaseMs: 1 }), null)
      assert.equal(await storage.reviewHistories.start('alice', APP, NOON), false)
      await using other = await prepared(open)
      await other.reviewHistories.start('alice', APP, NOON)
      await read(other, pageOf(await claim(other), { next: null, progress: { done: 1, total: 1 } }), [
        officialOf('old'),
      ])
      await other.reviewHistories.start('alice', APP, after(HOUR))
      const [history] = await other.reviewHistories.list('alice')
      assert.deepEqual([history?.state, history?.reviews, history?.progress], ['running', 0, null])
      assert.deepEqual(history?.startedAt, after(HOUR))
    })
  })
}
