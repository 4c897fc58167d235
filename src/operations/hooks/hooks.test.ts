import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../runtime/clock.ts'
import { createGuard } from '../../runtime/egress/guard.ts'
import { silentLog } from '../../runtime/log.ts'
import { createSealer } from '../../runtime/seal.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import type { WatchInput } from '../watches/new-watch.ts'
import { hookOperations } from './hooks.ts'

const ACCOUNT = 'acc_1'

const WATCH: WatchInput = { store: 'apple', appId: ' 1 ', eventType: 'review.created' }

const INPUT = { source: 'console', targetUrl: 'https://example.com/', externalRef: null, watches: [WATCH] }
const ZAPIER = 'https://hooks.zapier.com/hooks/standard/1/2/'

async function open(onWake: (storedHooks: Promise<number>) => void = () => {}) {
  const storage = await openSqlite({ file: ':memory:' })
  await storage.accounts.create({ id: ACCOUNT, name: 'Alice', createdAt: systemClock.now() })
  const hooks = hookOperations({
    accounts: storage.accounts,
    hooks: storage.hooks,
    reports: storage.reports,
    alerts: storage.alerts,
    deliveries: storage.deliveries,
    limits: {
      counts: { hooksMax: 9, storefrontsMax: 9 },
      testEvent: () => {},
      testMails: () => {},
      confirmations: () => {},
    },
    clock: systemClock,
    guard: createGuard({ allowCidrs: [] }),
    hasMailServer: false,
    mailer: null,
    publicUrl: null,
    mailConsent: 'confirm',
    log: silentLog,
    sealer: createSealer(Buffer.alloc(32)),
    newSecret: () => 'whsec_x',
    sendOnce: () => assert.fail('unexpected test event'),
    manualLaneChanges: { accepted: () => assert.fail('unexpected test event') },
    wake: () => onWake(storage.hooks.list(ACCOUNT).then(({ length }) => length)),
  })
  return { hooks, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() }
}

test('a new hook wakes the loops after it is stored', async () => {
  const storedAtWake: Promise<number>[] = []
  await using opened = await open((stored) => void storedAtWake.push(stored))
  await opened.hooks.create(ACCOUNT, INPUT)
  assert.deepEqual(await Promise.all(storedAtWake), [1])
})

test('two concurrent rotations keep both new secrets', async () => {
  await using opened = await open()
  const { id } = await opened.hooks.create(ACCOUNT, INPUT)
  const rotate = () => opened.hooks.rotateSecret(ACCOUNT, id, 1, 'person')
  await Promise.all([rotate(), rotate()])
  const { secrets } = await opened.hooks.get(ACCOUNT, id)
  assert.deepEqual(
    secrets.map(({ expiresAt }) => expiresAt === null),
    [true, false, false],
  )
})

test('the app id of a watch is trimmed', async () => {
  await using opened = await open()
  const { id } = await opened.hooks.create(ACCOUNT, INPUT)
  assert.equal((await opened.hooks.get(ACCOUNT, id)).watches[0]?.appId, '1')
})

test('a new hook is limited to the known rate of its target', async () => {
  await using opened = await open()
  const rateOf = async (targetUrl: string) => {
    const { id } = await opened.hooks.create(ACCOUNT, { ...INPUT, targetUrl })
    return (await opened.hooks.get(ACCOUNT, id)).ratePerSecond
  }
  assert.equal(await rateOf(ZAPIER), 25)
  assert.equal(await rateOf('https://example.com/'), null)
})

test('a hook whose target changes to one with a known rate is limited, unless its rate was set or removed', async () => {
  await using opened = await open()
  const { id } = await opened.hooks.create(ACCOUNT, INPUT)
  const change = async (to: Parameters<typeof opened.hooks.change>[2]) =>
    (await opened.hooks.change(ACCOUNT, id, to, 'person')).ratePerSecond
  assert.equal(await change({ targetUrl: ZAPIER }), 25)
  assert.equal(await change({ ratePerSecond: null }), null)
  assert.equal(await change({ targetUrl: `${ZAPIER}3/` }), null)
  assert.equal(await change({ targetUrl: 'https://example.com/' }), null)
  assert.equal(await change({ targetUrl: ZAPIER, ratePerSecond: 3 }), 3)
  assert.equal(await change({ targetUrl: 'https://example.com/' }), 3)
})

test('invalid values that no request schema has checked are rejected with the name of the field', async () => {
  await using opened = await open()
  const { hooks } = opened
  const { id } = await hooks.create(ACCOUNT, INPUT)
  const watched = (watch: Partial<WatchInput>) =>
    hooks.create(ACCOUNT, { ...INPUT, watches: [{ ...WATCH, ...watch }] })
  const bad: [field: string, Promise<unknown>][] = [
    ['targetUrl', hooks.create(ACCOUNT, { ...INPUT, targetUrl: 'http://10.0.0.1/' })],
    ['targetUrl', hooks.change(ACCOUNT, id, { targetUrl: 'ftp://example.com' }, 'person')],
    ['ratePerSecond', hooks.change(ACCOUNT, id, { ratePerSecond: 0 }, 'person')],
    ['name', hooks.change(ACCOUNT, id, { name: 'x'.repeat(101) }, 'person')],
    ['name', hooks.create(ACCOUNT, { ...INPUT, name: 'a\0' })],
    ['description', hooks.change(ACCOUNT, id, { description: 'x'.repeat(501) }, 'person')],
    ['overlapHours', hooks.rotateSecret(ACCOUNT, id, -1, 'person')],
    ['appId', watched({ appId: ' ' })],
    ['appId', watched({ appId: 'a\0' })],
    ['appId', watched({ appId: 'x'.repeat(256) })],
    ['minStars', watched({ minStars: 4, maxStars: 2 })],
    ['maxStars', watched({ maxStars: 6 })],
    ['delta', watched({ eventType: 'rating.dropped' })],
    ['delta', watched({ delta: 5 })],
    ['threshold', watched({ threshold: 0 })],
  ]
  for (const [field, call] of bad)
    await assert.rejects(call, { name: 'OperationError', code: 'invalid', field })
  assert.equal((await hooks.list(ACCOUNT)).length, 1)
})

test('a name and a description are trimmed, and removed when empty', async () => {
  await using opened = await open()
  const { hooks } = opened
  const { id } = await hooks.create(ACCOUNT, { ...INPUT, name: ' Support ', description: '  ' })
  const read = async () => {
    const { name, description } = await hooks.get(ACCOUNT, id)
    return [name, description]
  }
  assert.deepEqual(await read(), ['Support', null])
  await hooks.change(ACCOUNT, id, { description: 'Opens a ticket' }, 'person')
  assert.deepEqual(await read(), ['Support', 'Opens a ticket'])
  await hooks.change(ACCOUNT, id, { name: null }, 'person')
  assert.deepEqual(await read(), [null, 'Opens a ticket'])
})

test('a person names, limits and pauses a hook that a program created, and changes nothing that the program decides', async () => {
  await using opened = await open()
  const { hooks } = opened
  const { id } = await hooks.create(ACCOUNT, { ...INPUT, source: 'n8n' })
  const changed = await hooks.change(ACCOUNT, id, { name: 'Flow', ratePerSecond: 2 }, 'person')
  assert.deepEqual([changed.name, changed.ratePerSecond], ['Flow', 2])
  assert.equal((await hooks.pause(ACCOUNT, id)).status, 'paused')
  assert.equal((await hooks.resume(ACCOUNT, id)).status, 'active')
  for (const call of [
    hooks.change(ACCOUNT, id, { targetUrl: 'https://example.org/' }, 'person'),
    hooks.change(ACCOUNT, id, { name: 'Other', targetUrl: 'https://example.org/' }, 'person'),
    hooks.rotateSecret(ACCOUNT, id, 1, 'person'),
    hooks.revokeOldSecrets(ACCOUNT, id, 'person'),
  ]) {
    await assert.rejects(call, { name: 'OperationError', code: 'conflict' })
  }
  assert.equal((await hooks.get(ACCOUNT, id)).name, 'Flow')
})
