import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ANSWER_STATES, type AnswerState } from '../../../model/reply.ts'
import type { ClaimedReply } from '../../port/replies.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { after, HOUR, MINUTE, NO_ENRICHMENT, NOON, reviewOf } from '../samples.ts'
import { claim, OFFICIAL, prepared, publish, TARGET } from './replies.ts'

const SECOND = 1_000
const LATER = after(30 * SECOND)
const undoable = (text: string) => ({ ...publish(text), undoUntil: LATER })
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
async function edit(storage: Storage, body: string): Promise<void> {
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

    it('an answer that can be undone gives back the one of before, with its text as the draft, to its account only', async () => {
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
  })
}
