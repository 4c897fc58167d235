import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ANSWER_STATES, type AnswerState } from '../../../model/reply.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { ClaimedReply } from '../../port/replies.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { HORIZONS, jump } from '../maintenance/time.ts'
import { connectionOf } from '../people/store-connections.ts'
import { after, claimFeed, HOUR, MINUTE, NO_ENRICHMENT, NOON, poll, reviewOf, subscribe } from '../samples.ts'
import { claim, OFFICIAL, PUBLIC, prepared, publish, TARGET } from './replies.ts'

const SECOND = 1_000
const LATER = after(30 * SECOND)
const undoable = (text: string) => ({ ...publish(text), undoUntil: LATER })
export const BATCH = { batchId: 'bat_1', author: 'Ben', undoUntil: null } as const
/** Reviews of public pages. */
export async function store(storage: Storage, ...reviewIds: readonly string[]): Promise<void> {
  await subscribe(storage, { accountId: 'bob', id: 'bobs' })
  const reviews = reviewIds.map((reviewId) => reviewOf({ reviewId }))
  await poll(storage, await claimFeed(storage), reviews)
}
export const asked = (...fingerprints: readonly string[]) =>
  fingerprints.map((fingerprint) => ({ fingerprint, target: TARGET, text: `To ${fingerprint}` }))
const PAGE = { limit: 9, before: null } as const

/** The state of the answer as a list, a filter and the queue tell it, which must agree. */
async function stateOf(storage: Storage): Promise<AnswerState | undefined> {
  const { reviews } = await storage.reports.reviews('alice', {}, PAGE)
  const state = reviews.find(({ fingerprint }) => fingerprint === OFFICIAL)?.answerState
  for (const answer of ANSWER_STATES) {
    const found = await storage.reports.reviews('alice', { answer }, PAGE)
    const has = found.reviews.some(({ fingerprint }) => fingerprint === OFFICIAL)
    assert.equal(has, answer === state, `the filter ${answer} of a review that is ${state}`)
    assert.equal(await storage.reports.countReviews('alice', { answer }, 9), found.reviews.length)
  }
  const isQueued = state !== 'pending' && state !== 'published'
  assert.equal(await storage.reports.countToAnswer('alice', after(-HOUR), 9), isQueued ? 1 : 0, state)
  assert.equal((await storage.reports.review('alice', OFFICIAL))?.answerState, state)
  assert.deepEqual(await storage.reports.toAnswer('bob', after(-HOUR), 9), [])
  return state
}

/** A poll of the source that shows the review with this text. */
export async function edit(storage: Storage, body: string): Promise<void> {
  const [source] = await storage.reviewSources.claim({ now: NOON, lease: 'l', leaseMs: MINUTE, limit: 1 })
  assert.ok(source)
  const review = reviewOf({ reviewId: 'o1', market: 'us~alice', fingerprint: OFFICIAL, body })
  const shown = { review, publicFingerprints: [], replyText: null }
  const poll = { sourceId: source.id, lease: 'l', polledAt: NOON, nextPollAt: NOON }
  await storage.reviewSources.commit(poll, [shown], false, NO_ENRICHMENT, () => ({
    seen: [],
    toStore: [review],
    occurrences: [],
  }))
}

export function answersSuite({ open }: Engine): void {
  describe('states of answers', () => {
    it('states of answers follow drafts, requests, the store and edits of the review, in list, filter and queue alike', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      assert.equal(await stateOf(storage), 'unanswered')
      await replies.request('alice', OFFICIAL, TARGET, { kind: 'draft', text: 'Tha' }, NOON)
      assert.equal(await stateOf(storage), 'draft')
      await replies.request('alice', OFFICIAL, TARGET, { kind: 'draft', text: null }, NOON)
      assert.equal(await stateOf(storage), 'unanswered')
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      assert.equal(await stateOf(storage), 'pending')
      const [first] = await claim(storage)
      const refused = { state: 'refused', shownText: null, problem: 'No.', nextAt: null } as const
      await replies.settle(first as ClaimedReply, refused, NOON)
      assert.equal(await stateOf(storage), 'refused')
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      const [second] = await claim(storage)
      const published = { state: 'published', shownText: 'Thanks', problem: null, nextAt: null } as const
      await replies.settle(second as ClaimedReply, published, NOON)
      assert.equal(await stateOf(storage), 'published')
      await edit(storage, 'It crashes again.')
      assert.equal(await stateOf(storage), 'edited')
      await replies.request('alice', OFFICIAL, TARGET, publish('Sorry'), NOON)
      const [third] = await claim(storage)
      await replies.settle(third as ClaimedReply, { ...published, shownText: 'Sorry' }, NOON)
      assert.equal(await stateOf(storage), 'published')
    })

    it('states of answers are published for one that another tool wrote, until the review is edited', async () => {
      await using storage = await prepared(open, 'By hand')
      assert.equal(await stateOf(storage), 'published')
      await edit(storage, 'It crashes again.')
      assert.equal(await stateOf(storage), 'edited')
    })

    it('states of answers change the mark of open pages', async () => {
      await using storage = await prepared(open)
      const mark = async () => (await storage.reports.marks('alice', NOON)).reviews
      const before = await mark()
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), after(MINUTE))
      assert.notEqual(await mark(), before)
    })
  })

  describe('reviews to answer', () => {
    it('reviews to answer are those of all connected apps, fewest stars first, and are counted up to a maximum', async () => {
      await using storage = await prepared(open)
      const app = { store: 'apple', appId: '2' } as const
      await subscribe(storage, { accountId: 'alice', id: 'second' }, app)
      await storage.reviewSources.use('alice', app, 'con_1', NOON)
      const sources = await storage.reviewSources.claim({ now: NOON, lease: 'l', leaseMs: MINUTE, limit: 9 })
      const sourceId = sources.find(({ appId }) => appId === app.appId)?.id ?? 0
      const reviews = [5, 1].map((rating) => {
        const reviewId = `${rating} stars`
        const fingerprint = officialFingerprintOf('alice', 'apple', app.appId, reviewId)
        return reviewOf({ ...app, reviewId, fingerprint, rating, market: 'us~alice' })
      })
      const shown = reviews.map((review) => ({ review, publicFingerprints: [], replyText: null }))
      const poll = { sourceId, lease: 'l', polledAt: NOON, nextPollAt: NOON }
      const detected = { seen: shown, toStore: reviews, occurrences: [] }
      await storage.reviewSources.commit(poll, shown, false, NO_ENRICHMENT, () => detected)
      const queue = await storage.reports.toAnswer('alice', after(-HOUR), 9)
      assert.deepEqual(
        queue.map(({ reviewId }) => reviewId),
        ['1 stars', 'o1', '5 stars'],
      )
      const count = (max: number, since = after(-HOUR)) => storage.reports.countToAnswer('alice', since, max)
      assert.deepEqual([await count(9), await count(2), await count(1)], [3, 2, 1])
      assert.equal(await count(9, after(HOUR)), 0)
      assert.equal(await storage.reports.countToAnswer('bob', after(-HOUR), 9), 0)
    })
  })

  describe('an answer that can be undone', () => {
    it('an answer that can be undone is not sent before, and afterwards cannot be undone', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const asked = await replies.request('alice', OFFICIAL, TARGET, undoable('Thanks'), NOON)
      assert.deepEqual([asked?.state, asked?.undoUntil, asked?.nextAttemptAt], ['pending', LATER, LATER])
      assert.deepEqual((await storage.maintenance.dueWork(NOON)).replyAt, LATER)
      assert.deepEqual(await claim(storage, after(29 * SECOND)), [])
      const [claimed] = await claim(storage, LATER)
      assert.deepEqual([claimed?.text, claimed?.undoUntil], ['Thanks', LATER])
      assert.equal(await replies.undo('alice', { fingerprint: OFFICIAL }, LATER), 0)
      assert.equal((await replies.get('alice', OFFICIAL))?.undoUntil, null)
    })

    it('undo restores the previous answer and keeps the text as a draft, for its own account only', async () => {
      await using storage = await prepared(open, 'By hand')
      const { replies } = storage
      const before = await replies.get('alice', OFFICIAL)
      await replies.request('alice', OFFICIAL, TARGET, undoable('First'), NOON)
      await replies.request('alice', OFFICIAL, TARGET, undoable('Second'), after(SECOND))
      assert.equal(await replies.undo('bob', { fingerprint: OFFICIAL }, after(2 * SECOND)), 0)
      assert.equal(await replies.undo('alice', { fingerprint: OFFICIAL }, after(2 * SECOND)), 1)
      const undone = await replies.get('alice', OFFICIAL)
      assert.deepEqual(undone, { ...before, draft: 'Second', updatedAt: after(2 * SECOND) })
      assert.equal(await stateOf(storage), 'published')
      assert.equal(await replies.undo('alice', { fingerprint: OFFICIAL }, after(2 * SECOND)), 0)
      assert.deepEqual(await claim(storage, after(HOUR)), [])
    })

    it('an answer that can be undone waits when an attempt under way ends, and when its process is killed', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, publish('First'), NOON)
      const [first] = await replies.claim({ now: NOON, lease: 'short', leaseMs: SECOND, limit: 9 })
      await replies.request('alice', OFFICIAL, TARGET, undoable('Second'), NOON)
      assert.deepEqual(await claim(storage, after(2 * SECOND)), [], 'the lease ended')
      const found = { state: 'published', shownText: 'First', problem: null, nextAt: null } as const
      assert.equal(await replies.settle(first as ClaimedReply, found, after(3 * SECOND)), false)
      assert.deepEqual(await claim(storage, after(4 * SECOND)), [], 'the attempt ended')
      const [second] = await claim(storage, LATER, 'second')
      assert.deepEqual([second?.text, second?.shownText], ['Second', 'First'])
    })

    it('an answer that can be undone leaves an attempt under way its result', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, publish('First'), NOON)
      const [first] = await claim(storage)
      await replies.request('alice', OFFICIAL, TARGET, undoable('Second'), after(SECOND))
      assert.equal(await replies.undo('alice', { fingerprint: OFFICIAL }, after(2 * SECOND)), 1)
      const found = { state: 'published', shownText: 'First', problem: null, nextAt: null } as const
      assert.equal(await replies.settle(first as ClaimedReply, found, after(3 * SECOND)), true)
      const reply = await replies.get('alice', OFFICIAL)
      assert.deepEqual([reply?.state, reply?.text, reply?.draft], ['published', 'First', 'Second'])
    })

    it('an answer that can be undone belongs to its batch until it is undone or replaced', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const asked = { ...undoable('Thanks'), batchId: 'bat_1' }
      await replies.request('alice', OFFICIAL, TARGET, asked, NOON)
      const [item] = await replies.batch('alice', 'bat_1')
      assert.deepEqual([item?.fingerprint, item?.text, item?.state], [OFFICIAL, 'Thanks', 'pending'])
      assert.deepEqual(await replies.batch('bob', 'bat_1'), [])
      assert.equal(await replies.undo('bob', { batchId: 'bat_1' }, NOON), 0)
      assert.equal(await replies.undo('alice', { batchId: 'bat_1' }, NOON), 1)
      assert.deepEqual(await replies.batch('alice', 'bat_1'), [])
      await replies.request('alice', OFFICIAL, TARGET, asked, after(SECOND))
      await replies.request('alice', OFFICIAL, TARGET, publish('By me'), after(2 * SECOND))
      assert.deepEqual(await replies.batch('alice', 'bat_1'), [])
    })

    it('an answer that can be undone waits as long as asked when the clock goes back', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, undoable('Thanks'), NOON)
      await jump(storage, NOON, after(-HOUR))
      assert.deepEqual((await storage.replies.get('alice', OFFICIAL))?.undoUntil, after(30 * SECOND - HOUR))
      assert.deepEqual(await claim(storage, after(29 * SECOND - HOUR)), [])
      assert.equal((await claim(storage, after(30 * SECOND - HOUR))).length, 1)
    })

    it('an answer that can be undone for longer than a rule allows is sent after a repair, and others wait', async () => {
      const undoUntil = after(9 * HORIZONS.officialMs)
      const repaired = async (until: Instant, isLeased: boolean) => {
        await using storage = await prepared(open)
        const { replies } = storage
        if (isLeased) {
          await replies.request('alice', OFFICIAL, TARGET, publish('First'), NOON)
          await replies.claim({ now: NOON, lease: 'killed', leaseMs: SECOND, limit: 9 })
        }
        await replies.request('alice', OFFICIAL, TARGET, { ...publish('Second'), undoUntil: until }, NOON)
        const count = await storage.time.repair(after(2 * SECOND), HORIZONS)
        return [count, (await claim(storage, after(2 * SECOND), 'second'))[0]?.text]
      }
      assert.deepEqual(await repaired(undoUntil, false), [1, 'Second'])
      assert.deepEqual(
        await repaired(undoUntil, true),
        [1, 'Second'],
        'the lease of a killed process has ended',
      )
      assert.deepEqual(await repaired(LATER, true), [0, undefined])
    })

    it('undo of a batch gives back the draft of before, and the text where there was none', async () => {
      await using storage = await prepared(open)
      await store(storage, 'p1')
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, { kind: 'draft', text: 'Mine' }, NOON)
      const batch = { ...BATCH, undoUntil: LATER }
      assert.deepEqual(await replies.requestBatch('alice', asked(OFFICIAL, PUBLIC), batch, NOON), new Map())
      assert.equal(await replies.undo('alice', { batchId: 'bat_1' }, after(SECOND)), 2)
      const drafts = async () =>
        Promise.all([OFFICIAL, PUBLIC].map(async (each) => (await replies.get('alice', each))?.draft))
      assert.deepEqual(await drafts(), ['Mine', `To ${PUBLIC}`])
      assert.equal(await stateOf(storage), 'draft')
    })

    it('undo keeps a draft that was saved meanwhile, of one answer and of a batch', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const requests = [undoable('Thanks'), { ...undoable('Thanks'), batchId: 'bat_1' }]
      for (const [nth, request] of requests.entries()) {
        await replies.request('alice', OFFICIAL, TARGET, request, NOON)
        await replies.request('alice', OFFICIAL, TARGET, { kind: 'draft', text: `Newer ${nth}` }, NOON)
        assert.equal(await replies.undo('alice', { fingerprint: OFFICIAL }, after(SECOND)), 1)
        assert.equal((await replies.get('alice', OFFICIAL))?.draft, `Newer ${nth}`)
      }
    })

    it('an answer that can be undone is refused as not sent when its connection is removed, and keeps its batch', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const request = { ...undoable('Thanks'), batchId: 'bat_1' }
      await replies.request('alice', OFFICIAL, TARGET, request, NOON)
      await storage.storeConnections.remove('alice', 'con_1', NOON)
      const problem = 'The store connection was removed before the answer was sent.'
      const [item] = await replies.batch('alice', 'bat_1')
      assert.deepEqual([item?.state, item?.problem, item?.undoUntil], ['refused', problem, null])
      assert.equal(await replies.undo('alice', { batchId: 'bat_1' }, NOON), 0)
      // Requested again with another connection and undone, it is as the removal left it.
      await storage.storeConnections.create({ ...connectionOf(), id: 'con_2' }, 9)
      const target = { ...TARGET, connectionId: 'con_2' }
      await replies.request('alice', OFFICIAL, target, undoable('Thanks'), after(SECOND))
      await replies.undo('alice', { fingerprint: OFFICIAL }, after(SECOND))
      assert.equal((await replies.get('alice', OFFICIAL))?.problem, problem)
    })
  })
}
