import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../runtime/clock.ts'
import { createSealer } from '../../runtime/seal.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { hookOperations } from './hooks.ts'

test('subscribing ends the wait of the poll loop, after the hook is stored', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  await storage.accounts.create({ id: 'acc_1', name: 'Alice', createdAt: systemClock.now() })
  const storedAtWake: Promise<number>[] = []
  const { subscribe } = hookOperations({
    hooks: storage.hooks,
    limits: { counts: { hooksMax: 1, storefrontsMax: 1 } },
    clock: systemClock,
    sealer: createSealer(Buffer.alloc(32)),
    newSecret: () => 'whsec_x',
    wakePoll: () => void storedAtWake.push(storage.hooks.list('acc_1').then((hooks) => hooks.length)),
  })
  const body = {
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: ' 1 ',
    event_type: 'review.created',
  } as const
  const call = {
    accountId: 'acc_1',
    tokenId: 'tok_1',
    tokenName: '',
    id: '',
    query: undefined,
    idempotencyKey: null,
  }
  const answer = await subscribe({ ...call, body })
  assert.deepEqual(await Promise.all(storedAtWake), [1])
  assert.equal(answer.app_id, '1')
})
