import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AccountQueue, fairPicks, servedAfter } from './fair-picks.ts'

/** Queues as an engine keeps them, to claim from again and again. */
function installation(accounts: readonly { fresh: readonly number[]; known: readonly number[] }[]) {
  const turns = accounts.flatMap((feeds, index) =>
    [true, false].map((fresh) => ({
      accountId: `acc${index}`,
      fresh,
      served: 0,
      feedIds: [...(fresh ? feeds.fresh : feeds.known)],
    })),
  )
  const of = (fresh: boolean, limit: number): AccountQueue[] =>
    turns
      .filter((turn) => turn.fresh === fresh && turn.feedIds.length > 0)
      .sort((a, b) => a.served - b.served || (a.accountId < b.accountId ? -1 : 1))
      .slice(0, limit)
      .map(({ accountId, feedIds }) => ({ accountId, feedIds: feedIds.slice(0, limit) }))
  const maxOf = (fresh: boolean) =>
    Math.max(0, ...turns.filter((turn) => turn.fresh === fresh).map(({ served }) => served))
  return {
    waiting: () => turns.some(({ feedIds }) => feedIds.length > 0),
    claim(limit: number) {
      const [freshMax, knownMax] = [maxOf(true), maxOf(false)]
      const picks = fairPicks(
        { fresh: of(true, limit), known: of(false, limit) },
        freshMax <= knownMax,
        limit,
      )
      for (const { accountId, fresh, served } of servedAfter(picks, Math.max(freshMax, knownMax))) {
        const turn = turns.find((each) => each.accountId === accountId && each.fresh === fresh)
        if (turn !== undefined) turn.served = served
      }
      const taken = new Set(picks.map(({ feedId }) => feedId))
      for (const turn of turns) turn.feedIds = turn.feedIds.filter((id) => !taken.has(id))
      return picks
    },
  }
}

/** Places until the first feed of each account and class is taken. In the end all feeds are taken. */
function firstPlaces(running: ReturnType<typeof installation>, limit: number): Map<string, number> {
  const first = new Map<string, number>()
  let place = 0
  while (running.waiting()) {
    const picks = running.claim(limit)
    assert.ok(picks.length > 0, 'something is due and nothing was taken')
    for (const { accountId, fresh } of picks) {
      place += 1
      const key = `${accountId} ${fresh}`
      if (!first.has(key)) first.set(key, place)
    }
  }
  return first
}

let nextId = 0
const feeds = (max: number) =>
  fc.nat({ max }).map((count) => Array.from({ length: count }, () => (nextId += 1)))
const accounts = fc.array(fc.record({ fresh: feeds(30), known: feeds(30) }), { minLength: 1, maxLength: 12 })
const limits = fc.integer({ min: 1, max: 6 })

describe('the feeds a claim takes', () => {
  it('the feeds a claim takes include every account within two places per account, whatever the backlog of others', () => {
    fc.assert(
      fc.property(accounts, limits, (each, limit) => {
        const first = firstPlaces(installation(each), limit)
        for (const place of first.values()) assert.ok(place <= 2 * each.length, `${place} of ${each.length}`)
      }),
    )
  })

  it('the feeds of a claim are each taken once, also when several accounts need them', () => {
    const shared = fc.array(
      fc.record({ fresh: fc.constant([]), known: fc.uniqueArray(fc.nat({ max: 9 })) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    fc.assert(
      fc.property(shared, limits, (each, limit) => {
        const running = installation(each)
        const taken: number[] = []
        while (running.waiting()) taken.push(...running.claim(limit).map(({ feedId }) => feedId))
        assert.equal(new Set(taken).size, taken.length)
        assert.deepEqual(new Set(taken), new Set(each.flatMap(({ known }) => known)))
      }),
    )
  })

  it('the feeds a claim takes give equal shares to accounts that always have due feeds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), limits, (count, limit) => {
        const running = installation(
          Array.from({ length: count }, (_, index) => ({
            fresh: [],
            known: Array.from({ length: 100 * (index + 1) }, (__, at) => index * 10_000 + at),
          })),
        )
        const shares = new Map<string, number>()
        for (let place = 0; place < 50 * count; ) {
          for (const { accountId } of running.claim(limit)) {
            shares.set(accountId, (shares.get(accountId) ?? 0) + 1)
            place += 1
          }
        }
        const values = [...shares.values()]
        assert.equal(values.length, count)
        // Jain's fairness index: 1 when all are equal, 1 / count when one has everything.
        const sum = values.reduce((a, b) => a + b, 0)
        const index = sum ** 2 / (count * values.reduce((a, b) => a + b ** 2, 0))
        assert.ok(index > 0.99, `${index}`)
      }),
    )
  })

  it('the feeds a claim takes alternate fresh and other feeds, and are all fresh when no others are due', () => {
    const running = installation([{ fresh: [1, 2, 3, 4, 5], known: [11, 12] }])
    const taken = [1, 2, 3, 1].flatMap((limit) => running.claim(limit).map(({ feedId }) => feedId))
    assert.deepEqual(taken, [1, 11, 2, 12, 3, 4, 5])
  })

  it('a claim takes a shared feed in the turn of each account that tracks it', () => {
    const due = [
      { accountId: 'big', feedIds: [1, 2, 3, 4, 5] },
      { accountId: 'small', feedIds: [5] },
    ]
    assert.deepEqual(
      fairPicks({ fresh: [], known: due }, true, 3).map(({ feedId, accountId }) => [feedId, accountId]),
      [
        [1, 'big'],
        [5, 'small'],
        [2, 'big'],
      ],
    )
  })
})
