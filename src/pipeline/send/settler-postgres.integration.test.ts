import assert from 'node:assert/strict'
import { after as afterAll, before, test } from 'node:test'
import { startCommitLossProxy } from '../../../test/support/commit-loss-proxy.ts'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { settlerOf } from '../../../test/support/settler.ts'
import {
  claim,
  DELIVERED,
  enqueue,
  retryAt,
  settledOf,
} from '../../storage/conformance/queue/queue-samples.ts'
import { addPeople, after, MINUTE, NOON, subscribe } from '../../storage/conformance/samples.ts'
import { openPostgres } from '../../storage/postgres/open.ts'
import type { Result } from './settler.ts'

let server: TestPostgres
before(async () => {
  server = await startPostgres()
})
afterAll(() => server[Symbol.asyncDispose]())

test('a result with an unconfirmed commit is stored once', async () => {
  const url = await server.newMigratedDatabase()
  await using proxy = await startCommitLossProxy(url)
  await using storage = await openPostgres({ url: proxy.url })
  await addPeople(storage)
  const { hook } = await subscribe(storage)
  const ids = await enqueue(storage, [hook], { count: 2 })
  const claimed = await claim(storage)
  const settler = settlerOf({ storage })
  proxy.loseNextCommitResponse()
  for (const [index, delivery] of claimed.entries()) settler.add(resultOf(delivery, index === 0))
  await settler.flush(new AbortController().signal)
  assert.equal(proxy.lostResponses(), 1)
  for (const eventId of ids) {
    assert.equal((await storage.deliveries.attempts('alice', eventId)).length, 1)
    assert.equal((await storage.deliveries.get('alice', eventId))?.attempts, 1)
  }
})

function resultOf(delivery: Parameters<typeof settledOf>[0], accepted: boolean): Result {
  const next = accepted ? DELIVERED : retryAt(after(MINUTE))
  return {
    settled: settledOf(delivery, next, { startedAt: NOON }),
    result: {
      outcome: accepted
        ? { kind: 'accepted', httpStatus: 200 }
        : { kind: 'failed', reason: 'http_status', httpStatus: 500, retryAfterMs: null },
      after: { kind: 'settle', next, hookGone: false },
    } as Result['result'],
  }
}
