import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { ClaimedReply, ReplyStep, ReplyTarget } from '../../port/replies.ts'
import type { Storage } from '../../port/storage.ts'
import type { Engine } from '../harness.ts'
import { HORIZONS, jump } from '../maintenance/time.ts'
import { connectionOf } from '../people/store-connections.ts'
import { addPeople, after, HOUR, MINUTE, NO_ENRICHMENT, NOON, reviewOf, subscribe } from '../samples.ts'

const YEAR = 365 * 24 * HOUR
const APP = { store: 'apple', appId: '1' } as const
export const OFFICIAL = officialFingerprintOf('alice', 'apple', '1', 'o1')
export const PUBLIC = reviewOf({ reviewId: 'p1' }).fingerprint
export const TARGET: ReplyTarget = { ...APP, reviewId: 'o1', connectionId: 'con_1' }
const PUBLISHED: ReplyStep = { state: 'published', shownText: 'Thanks', problem: null, nextAt: null }
export const publish = (text: string) => ({ kind: 'publish', text, author: 'Ann' }) as const

/** Alice's connection showed a review that is linked to a public one, with an answer if given. */
export async function prepared(open: Engine['open'], replyText: string | null = null): Promise<Storage> {
  const storage = await open()
  await addPeople(storage)
  await subscribe(storage, { accountId: 'alice' }, APP)
  await storage.storeConnections.create(connectionOf(), 9)
  await storage.reviewSources.use('alice', APP, 'con_1', NOON)
  await pollWith(storage, replyText, NOON)
  return storage
}
/** A poll of the source that shows the review with this answer. */
async function pollWith(
  storage: Storage,
  replyText: string | null,
  now: Instant,
  nextPollAt = now,
): Promise<void> {
  const [source] = await storage.reviewSources.claim({ now, lease: 'l', leaseMs: MINUTE, limit: 1 })
  assert.ok(source)
  const review = reviewOf({ reviewId: 'o1', market: 'us~alice', fingerprint: OFFICIAL })
  const shown = { review, publicFingerprints: [PUBLIC], replyText }
  const poll = { sourceId: source.id, lease: 'l', polledAt: now, nextPollAt }
  await storage.reviewSources.commit(poll, [shown], false, NO_ENRICHMENT, () => ({
    seen: [shown],
    toStore: [review],
    occurrences: [],
  }))
}
export const claim = (storage: Storage, now = NOON, lease = 'first') =>
  storage.replies.claim({ now, lease, leaseMs: MINUTE, limit: 9 })

export function repliesSuite({ open }: Engine): void {
  describe('answers to reviews', () => {
    it('answers to reviews have a target for official reviews and the public ones linked to them, of their account only', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      assert.deepEqual(await replies.target('alice', { ...APP, fingerprint: OFFICIAL }), TARGET)
      assert.deepEqual(await replies.target('alice', { ...APP, fingerprint: PUBLIC }), TARGET)
      assert.equal(await replies.target('bob', { ...APP, fingerprint: PUBLIC }), null)
      const unknown = reviewOf({ reviewId: 'x' }).fingerprint
      assert.equal(await replies.target('alice', { ...APP, fingerprint: unknown }), null)
      const several = [OFFICIAL, unknown, PUBLIC].map((fingerprint) => ({ ...APP, fingerprint }))
      assert.deepEqual([...(await replies.targets('alice', several)).keys()], [OFFICIAL, PUBLIC])
      assert.equal((await replies.targets('bob', several)).size, 0)
      await storage.reviewSources.leave('alice', APP, NOON)
      assert.equal(await replies.target('alice', { ...APP, fingerprint: OFFICIAL }), null)
    })

    it('answers to reviews are not stored without their connection', async () => {
      await using storage = await prepared(open)
      await storage.storeConnections.remove('alice', 'con_1', NOON)
      assert.equal(await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON), null)
      assert.equal(await storage.replies.get('alice', OFFICIAL), null)
    })

    it('answers to reviews are claimed once, with the text that counts as sent from then on', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      const asked = await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      assert.deepEqual([asked?.state, asked?.text, asked?.author], ['pending', 'Thanks', 'Ann'])
      const dueAt = async () => (await storage.maintenance.dueWork(NOON)).replyAt
      assert.deepEqual(await dueAt(), NOON)
      const [claimed] = await claim(storage)
      assert.deepEqual(await dueAt(), after(MINUTE), 'the end of the lease')
      assert.equal(claimed?.connection.credentials, connectionOf().credentials)
      assert.deepEqual(await claim(storage), [])
      // The process was killed: another node knows the text that the store may show.
      const [again] = await claim(storage, after(2 * MINUTE), 'second')
      assert.deepEqual([again?.sentText, again?.attempts], ['Thanks', 1])
      assert.equal(await replies.settle(claimed as ClaimedReply, PUBLISHED, NOON), false)
      assert.equal(await replies.settle(again as ClaimedReply, PUBLISHED, NOON), true)
      assert.equal(await dueAt(), null)
      assert.equal((await replies.get('alice', OFFICIAL))?.shownText, 'Thanks')
      assert.deepEqual(await replies.nthNewestSentAt('apple', '1', 1), NOON)
      assert.equal(await replies.nthNewestSentAt('apple', '1', 2), null)
      assert.equal(await replies.nthNewestSentAt('google', '1', 1), null)
      assert.equal(await replies.get('bob', OFFICIAL), null)
      assert.deepEqual([...(await replies.lastAcceptedAt('alice'))], [['con_1', NOON]])
      assert.deepEqual([...(await replies.lastAcceptedAt('bob'))], [])
    })

    it('answers to reviews that the store did not accept, or that another tool wrote, are not accepted ones', async () => {
      await using storage = await prepared(open, 'By hand')
      const { replies } = storage
      const accepted = async () => [...(await replies.lastAcceptedAt('alice')).keys()]
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      assert.deepEqual(await accepted(), [])
      const [claimed] = await claim(storage)
      assert.deepEqual(await accepted(), [], 'the attempt is under way')
      const refused = { state: 'refused', shownText: 'By hand', problem: 'No.', nextAt: null } as const
      await replies.settle(claimed as ClaimedReply, refused, NOON)
      assert.deepEqual(await accepted(), [])
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), after(HOUR))
      const [again] = await claim(storage, after(HOUR))
      const sent = { ...PUBLISHED, state: 'sent', nextAt: after(2 * HOUR) } as const
      await replies.settle(again as ClaimedReply, sent, after(HOUR))
      assert.deepEqual(await accepted(), ['con_1'])
    })

    it('answers to reviews that are replaced while an attempt is under way are due when it ends, with what it found', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, publish('First'), NOON)
      const [first] = await claim(storage)
      await replies.request('alice', OFFICIAL, TARGET, publish('Second'), NOON)
      assert.deepEqual(await claim(storage, NOON, 'second'), [], 'no two attempts write at once')
      const found = { ...PUBLISHED, shownText: 'First' }
      assert.equal(await replies.settle(first as ClaimedReply, found, NOON), false)
      const [second] = await claim(storage, NOON, 'second')
      assert.deepEqual(
        [second?.state, second?.text, second?.sentText, second?.shownText],
        ['pending', 'Second', 'First', 'First'],
      )
      assert.deepEqual(await replies.nthNewestSentAt('apple', '1', 1), NOON)
    })

    it('answers to reviews that are replaced while an attempt is under way are due when the lease of a killed process ends', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('First'), NOON)
      await claim(storage)
      await storage.replies.request('alice', OFFICIAL, TARGET, { kind: 'delete', author: 'Ann' }, NOON)
      const [deletion] = await claim(storage, after(2 * MINUTE), 'second')
      assert.deepEqual([deletion?.state, deletion?.sentText], ['deleting', 'First'])
    })

    it('answers to reviews that were deleted ignore polls until the store has removed them', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      await replies.request('alice', OFFICIAL, TARGET, { kind: 'delete', author: 'Ann' }, NOON)
      const [claimed] = await claim(storage)
      const deleted = { state: 'deleted', shownText: null, problem: null, nextAt: null } as const
      await replies.settle(claimed as ClaimedReply, deleted, NOON)
      await pollWith(storage, 'Thanks', after(HOUR))
      assert.equal((await replies.get('alice', OFFICIAL))?.state, 'deleted')
      await pollWith(storage, 'By hand', after(49 * HOUR))
      const reply = await replies.get('alice', OFFICIAL)
      assert.deepEqual([reply?.state, reply?.shownText], ['published', 'By hand'])
    })

    it('answers to reviews that wait for the quota do not count as sent', async () => {
      await using storage = await prepared(open)
      const { replies } = storage
      await replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      const [first] = await claim(storage)
      const waiting: ReplyStep = {
        state: 'pending',
        shownText: null,
        problem: 'The quota is used.',
        nextAt: after(HOUR),
        isUnsent: true,
      }
      assert.equal(await replies.settle(first as ClaimedReply, waiting, NOON), true)
      assert.equal(await replies.nthNewestSentAt('apple', '1', 1), null)
      assert.deepEqual((await replies.get('alice', OFFICIAL))?.nextAttemptAt, after(HOUR))
      const [second] = await claim(storage, after(HOUR), 'second')
      assert.equal(second?.attempts, 0)
      assert.equal((await replies.get('alice', OFFICIAL))?.nextAttemptAt, null, 'the attempt is under way')
      await replies.request('alice', OFFICIAL, TARGET, publish('Thank you'), after(HOUR))
      assert.equal(await replies.settle(second as ClaimedReply, waiting, after(HOUR)), false)
      assert.equal(await replies.nthNewestSentAt('apple', '1', 1), null)
    })

    it('answers to reviews keep a draft, which is never claimed, beside a published answer', async () => {
      await using storage = await prepared(open, 'By hand')
      const draft = { kind: 'draft', text: 'Later' } as const
      await storage.replies.request('alice', OFFICIAL, TARGET, draft, NOON)
      const reply = await storage.replies.get('alice', OFFICIAL)
      assert.deepEqual([reply?.state, reply?.shownText, reply?.draft], ['published', 'By hand', 'Later'])
      assert.equal((await storage.replies.get('alice', PUBLIC))?.shownText, 'By hand')
      assert.deepEqual(await claim(storage, after(HOUR)), [])
    })

    it('answers to reviews are not claimed twice when the clock goes forward during an attempt, and neither is their source', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      const claimSource = (now: Instant) =>
        storage.reviewSources.claim({ now, lease: 'l', leaseMs: MINUTE, limit: 1 })
      const claimed = async (now: Instant) => [
        (await claim(storage, now)).length,
        (await claimSource(now)).length,
      ]
      assert.deepEqual(await claimed(NOON), [1, 1])
      await jump(storage, NOON, after(YEAR))
      assert.deepEqual(await claimed(after(YEAR + MINUTE - 1)), [0, 0])
      assert.deepEqual(await claimed(after(YEAR + MINUTE)), [1, 1])
    })

    it('answers to reviews that wait longer than a rule allows are due after a repair, as is their source', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), after(YEAR))
      await pollWith(storage, null, NOON, after(YEAR))
      assert.deepEqual(await claim(storage, after(MINUTE)), [])
      assert.equal(await storage.time.repair(NOON, HORIZONS), 2)
      assert.equal((await claim(storage)).length, 1)
      const sources = await storage.reviewSources.claim({ now: NOON, lease: 'l', leaseMs: MINUTE, limit: 1 })
      assert.equal(sources.length, 1)
      assert.equal(await storage.time.repair(NOON, HORIZONS), 0)
    })

    it('answers to reviews keep their connection when another account names it', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      assert.equal(await storage.storeConnections.remove('bob', 'con_1', NOON), false)
      assert.equal((await storage.replies.get('alice', OFFICIAL))?.state, 'pending')
      assert.equal((await claim(storage)).length, 1)
    })

    it('answers to reviews of a removed connection are refused until they are requested again', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      await storage.storeConnections.remove('alice', 'con_1', NOON)
      assert.deepEqual(await claim(storage, after(HOUR)), [])
      const reply = await storage.replies.get('alice', OFFICIAL)
      assert.deepEqual([reply?.state, reply?.text], ['refused', 'Thanks'])
      assert.match(reply?.problem ?? '', /connection was removed/)
    })

    it('answers to reviews that the store shows after all are published', async () => {
      await using storage = await prepared(open)
      await storage.replies.request('alice', OFFICIAL, TARGET, publish('Thanks'), NOON)
      const [claimed] = await claim(storage)
      const refused = { state: 'refused', shownText: null, problem: 'Too late.', nextAt: null } as const
      await storage.replies.settle(claimed as ClaimedReply, refused, NOON)
      await pollWith(storage, 'By hand', after(HOUR))
      assert.equal((await storage.replies.get('alice', OFFICIAL))?.state, 'refused')
      await pollWith(storage, 'Thanks', after(2 * HOUR))
      const reply = await storage.replies.get('alice', OFFICIAL)
      assert.deepEqual([reply?.state, reply?.shownText, reply?.problem], ['published', 'Thanks', null])
    })
  })
}
