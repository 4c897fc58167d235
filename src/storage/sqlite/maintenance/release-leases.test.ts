import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import { connectionOf } from '../../conformance/people/store-connections.ts'
import { claim, enqueue, idsOf } from '../../conformance/queue/queue-samples.ts'
import {
  addPeople,
  claimFeed,
  HOUR,
  MINUTE,
  NO_ENRICHMENT,
  NOON,
  poll,
  reviewOf,
  subscribe,
} from '../../conformance/samples.ts'
import type { Storage } from '../../port/storage.ts'
import { openSqlite } from '../open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-leases-'))
let files = 0
function newFile(): string {
  files += 1
  return join(folder, `${files}.db`)
}

const enrich = (storage: Storage) =>
  storage.occurrences.claimForEnrichment({ now: NOON, limit: 10, lease: 'enriching', leaseMs: MINUTE })

/** Leases a delivery, a review and a feed. Returns the delivery's id. */
async function leaseEverything(storage: Storage): Promise<string[]> {
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  const ids = await enqueue(storage, [hook], { count: 3 })
  await poll(storage, await claimFeed(storage), [reviewOf({ reviewId: 'to enrich' })], {
    nextPollAt: NOON,
    enrichment: { readyAt: NOON, enrich: true },
  })
  assert.equal((await enrich(storage)).length, 1)
  assert.equal((await claim(storage, { limit: 2 })).length, 2)
  await claimFeed(storage)
  return ids
}

/** What is due of official sources: polls, imports and answers. */
async function claimOfficial({ reviewSources, reviewHistories, replies }: Storage): Promise<number> {
  const request = { now: NOON, lease: 'official', leaseMs: HOUR, limit: 9 }
  const history = await reviewHistories.claim(request)
  const others = [await reviewSources.claim(request), await replies.claim(request)]
  return others.flat().length + (history === null ? 0 : 1)
}

/** An app with an official source that is polled, imported and answered, without leases. */
async function addOfficialWork(storage: Storage): Promise<void> {
  const app = { store: 'apple', appId: '1' } as const
  await addPeople(storage)
  await subscribe(storage, { accountId: 'alice' }, app)
  await storage.storeConnections.create(connectionOf(), 9)
  await storage.reviewSources.use('alice', app, 'con_1', NOON)
  const request = { now: NOON, lease: 'poll', leaseMs: MINUTE, limit: 1 }
  const [source] = await storage.reviewSources.claim(request)
  assert.ok(source)
  const first = { sourceId: source.id, lease: 'poll', polledAt: NOON, nextPollAt: NOON }
  const answered = officialFingerprintOf('alice', 'apple', '1', 'r1')
  const review = reviewOf({ reviewId: 'r1', market: 'us~alice', fingerprint: answered })
  const shown = { review, publicFingerprints: [], replyText: null }
  const found = { seen: [shown], toStore: [review], occurrences: [] }
  await storage.reviewSources.commit(first, [shown], false, NO_ENRICHMENT, () => found)
  await storage.reviewHistories.start('alice', app, NOON)
  const target = { ...app, reviewId: 'r1', connectionId: 'con_1' }
  const answer = { kind: 'publish', text: 'Thanks', author: 'Ann' } as const
  await storage.replies.request('alice', answered, target, answer, NOON)
}

describe('the leases of a service on SQLite', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('the leases of a service on SQLite end at the next start after a crash', async () => {
    const file = newFile()
    const crashed = await openSqlite({ file })
    await crashed.maintenance.joinServices()
    const ids = await leaseEverything(crashed)
    await crashed[Symbol.asyncDispose]()
    await using next = await openSqlite({ file })
    assert.deepEqual(await next.maintenance.joinServices(), { sharesFile: false, releasedLeases: 4 })
    assert.deepEqual(idsOf(await claim(next)), ids)
    assert.equal((await enrich(next)).length, 1)
    await claimFeed(next)
  })

  it('the leases of official sources end too, so that their work is due at once', async () => {
    const file = newFile()
    const crashed = await openSqlite({ file })
    await crashed.maintenance.joinServices()
    await addOfficialWork(crashed)
    assert.equal(await claimOfficial(crashed), 3)
    assert.equal(await claimOfficial(crashed), 0)
    await crashed[Symbol.asyncDispose]()
    await using next = await openSqlite({ file })
    assert.deepEqual(await next.maintenance.joinServices(), { sharesFile: false, releasedLeases: 3 })
    assert.equal(await claimOfficial(next), 3)
  })

  it('the leases of a service on SQLite stay while it runs, even when another service starts', async () => {
    const file = newFile()
    await using running = await openSqlite({ file })
    await running.maintenance.joinServices()
    const [, , third] = await leaseEverything(running)
    await using beside = await openSqlite({ file })
    assert.deepEqual(await beside.maintenance.joinServices(), { sharesFile: true, releasedLeases: 0 })
    assert.deepEqual(idsOf(await claim(beside)), [third])
  })

  it('the leases of a service on SQLite stay when only one of two services restarts', async () => {
    const file = newFile()
    const first = await openSqlite({ file })
    await first.maintenance.joinServices()
    await using second = await openSqlite({ file })
    await second.maintenance.joinServices()
    await leaseEverything(second)
    await first[Symbol.asyncDispose]()
    await using again = await openSqlite({ file })
    assert.deepEqual(await again.maintenance.joinServices(), { sharesFile: true, releasedLeases: 0 })
  })
})
