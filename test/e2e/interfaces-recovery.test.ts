import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Instant, instantOf, later } from '../../src/runtime/instant.ts'
import { type CallResult, forEachInterface, type Tenant, tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'
import { settledDeliveries } from '../support/settled-deliveries.ts'

// The service does not send, so that tests see only the changes of operations.
const running = await startTestService({ RADAR_ROLES: 'api' })
after(() => running[Symbol.asyncDispose]())
const { deadLetters, deliveries, hooks } = running.service.storage
let tenants = 0

async function createTenants(): Promise<{ readonly alice: Tenant; readonly bob: Tenant }> {
  tenants += 1
  return { alice: await tenant(running, `Alice${tenants}`), bob: await tenant(running, `Bob${tenants}`) }
}

type Recovery = { readonly since: Instant; readonly delivered?: boolean; readonly ratePerSecond?: number }

type RecoveryInterface = {
  readonly retry: (who: Tenant, hookId: string) => Promise<CallResult>
  readonly recover: (who: Tenant, hookId: string, input: Recovery) => Promise<CallResult>
}

function bodyOf({ since, delivered, ratePerSecond }: Recovery) {
  return { since: since.toISOString(), delivered, rate_per_second: ratePerSecond }
}

const INTERFACES: Readonly<Record<string, RecoveryInterface>> = {
  'REST API': {
    retry: (who, hookId) => who.api('POST', `/hooks/${hookId}/retry`),
    recover: (who, hookId, input) => who.api('POST', `/hooks/${hookId}/recovery`, bodyOf(input)),
  },
  console: {
    retry: (who, hookId) => who.console('POST', `/v1/hooks/${hookId}/retry`),
    recover: (who, hookId, input) => who.console('POST', `/v1/hooks/${hookId}/recovery`, bodyOf(input)),
  },
  command: {
    retry: (who, hookId) => who.command('hooks', 'retry', hookId),
    recover: (who, hookId, { since, delivered, ratePerSecond }) =>
      who.command(
        ...['hooks', 'recover', hookId, '--yes', '--since', since.toISOString()],
        ...(delivered ? ['--delivered'] : []),
        ...(ratePerSecond === undefined ? [] : ['--rate', String(ratePerSecond)]),
      ),
  },
}

/** A command ends with status 2 for `invalid`, and with one status for all other errors. */
function assertRejected(answer: CallResult, outcome: string, error: RegExp): void {
  const ofCommand = outcome === 'invalid' ? 'usage' : 'failed'
  assert.ok([outcome, ofCommand].includes(answer.outcome), `${answer.outcome}: ${answer.error}`)
  assert.match(answer.error, error)
}

const inAnHour = () => later(running.clock.now(), 3_600_000)
const pending = (who: Tenant, count: number) =>
  settledDeliveries(running, who, count, { status: 'pending', dueAt: inAnHour() })
const dead = (who: Tenant, count: number) =>
  settledDeliveries(running, who, count, { status: 'dead', reason: 'attempts_exhausted' })
const delivered = (who: Tenant, count: number) =>
  settledDeliveries(running, who, count, { status: 'delivered' })

async function isDue(who: Tenant, eventId: string): Promise<boolean> {
  const { dueAt } = (await deliveries.get(who.accountId, eventId)) ?? assert.fail()
  return dueAt !== null && dueAt <= running.clock.now()
}

const BEFORE = instantOf(Date.parse('2020-01-01T00:00:00Z'))

forEachInterface(INTERFACES, 'retry makes every pending delivery of a hook due now', async (via) => {
  const { alice } = await createTenants()
  const { hookId, ids } = await pending(alice, 2)
  const other = await pending(alice, 1)
  const answer = await via.retry(alice, hookId)
  assert.equal(answer.outcome, 'done', answer.error)
  assert.match(answer.text, /"retried":2|^2 deliveries due now/)
  for (const id of ids) assert.ok(await isDue(alice, id))
  assert.equal(await isDue(alice, other.ids[0] ?? ''), false)
})

forEachInterface(
  INTERFACES,
  'retry and recovery are rejected for a hook that is paused or does not exist',
  async (via) => {
    const { alice } = await createTenants()
    const { hookId, ids } = await pending(alice, 1)
    await hooks.setStatus(alice.accountId, hookId, 'paused', running.clock.now())
    for (const run of [via.retry, (who: Tenant, id: string) => via.recover(who, id, { since: BEFORE })]) {
      assertRejected(await run(alice, hookId), 'conflict', /The destination is paused\. Resume it first\./)
      assertRejected(await run(alice, 'api-none'), 'not_found', /no hook with this id/)
    }
    assert.equal(await isDue(alice, ids[0] ?? ''), false)
  },
)

forEachInterface(
  INTERFACES,
  'recovery retries the pending deliveries and replays the dead letters at a rate',
  async (via) => {
    const { alice } = await createTenants()
    const { hookId, ids } = await dead(alice, 2)
    const answer = await via.recover(alice, hookId, { since: BEFORE, ratePerSecond: 2.5 })
    assert.equal(answer.outcome, 'done', answer.error)
    const [replay] = await deadLetters.listReplays(alice.accountId, 10)
    assert.deepEqual(
      [replay?.filter, replay?.total, replay?.ratePerSecond],
      [{ hookId, recoverSince: BEFORE, delivered: false }, 2, 2.5],
    )
    assert.equal((await deliveries.get(alice.accountId, ids[0] ?? ''))?.status, 'dead')
  },
)

forEachInterface(INTERFACES, 'recovery sends delivered events again only on request', async (via) => {
  const { alice } = await createTenants()
  const { hookId } = await delivered(alice, 3)
  assertRejected(
    await via.recover(alice, hookId, { since: BEFORE }),
    'conflict',
    /no events since then to replay/,
  )
  const answer = await via.recover(alice, hookId, { since: BEFORE, delivered: true })
  assert.equal(answer.outcome, 'done', answer.error)
  const [replay] = await deadLetters.listReplays(alice.accountId, 10)
  assert.equal(replay?.total, 3)
})

forEachInterface(INTERFACES, 'recovery without dead letters starts no replay', async (via) => {
  const { alice } = await createTenants()
  const { hookId, ids } = await pending(alice, 1)
  assert.equal((await via.recover(alice, hookId, { since: BEFORE })).outcome, 'done')
  assert.ok(await isDue(alice, ids[0] ?? ''))
  assert.deepEqual(await deadLetters.listReplays(alice.accountId, 10), [])
})

forEachInterface(INTERFACES, 'recovery rejects a time in the future and an invalid rate', async (via) => {
  const { alice } = await createTenants()
  const { hookId } = await dead(alice, 1)
  assertRejected(
    await via.recover(alice, hookId, { since: inAnHour() }),
    'invalid',
    /since must be a time in the past/,
  )
  const wrongRate = { since: BEFORE, ratePerSecond: 1_001 }
  assertRejected(await via.recover(alice, hookId, wrongRate), 'invalid', /0\.1 to 1000/)
})

test('the preview of a recovery has its counts and changes nothing', async () => {
  const { alice } = await createTenants()
  const { hookId } = await dead(alice, 2)
  const shown = await alice.console('GET', `/v1/hooks/${hookId}/recovery?since=${BEFORE.toISOString()}`)
  assert.deepEqual(shown.json(), { pending: 0, dead: 2, delivered: 0 })
})

test('retry makes one delivery due now, and rejects one that is not pending', async () => {
  const { alice } = await createTenants()
  const { ids } = await pending(alice, 2)
  const retry = (id = '', who = alice) => who.console('POST', `/v1/deliveries/${id}/retry`)
  assert.equal((await retry(ids[0])).outcome, 'done')
  assert.deepEqual([await isDue(alice, ids[0] ?? ''), await isDue(alice, ids[1] ?? '')], [true, false])
  const ended = [(await delivered(alice, 1)).ids[0], (await dead(alice, 1)).ids[0]]
  assertRejected(await retry(ended[0]), 'conflict', /It was delivered\. Send it again instead\./)
  assertRejected(await retry(ended[1]), 'conflict', /It is a dead letter\. Replay it instead\./)
})

test('a retry of several destinations makes their deliveries due, and names those it could not retry', async () => {
  const { alice, bob } = await createTenants()
  const [one, two, paused] = [await pending(alice, 2), await pending(alice, 1), await pending(alice, 1)]
  const bobs = await pending(bob, 1)
  await alice.console('PUT', `/v1/hooks/${paused.hookId}/status`, { status: 'paused' })
  const ids = [one, two, paused, bobs, one].map(({ hookId }) => hookId)
  const bulk = await alice.console('POST', '/v1/retries/hooks', { hook_ids: ids })
  assert.deepEqual(bulk.json(), {
    changed: 2,
    failed: [
      { id: paused.hookId, reason: 'The destination is paused. Resume it first.' },
      { id: bobs.hookId, reason: 'The account has no hook with this id.' },
    ],
  })
  for (const id of [...one.ids, ...two.ids]) assert.ok(await isDue(alice, id))
  assert.equal(await isDue(alice, paused.ids[0] ?? ''), false)
  assert.equal(await isDue(bob, bobs.ids[0] ?? ''), false)
})

test('the console cannot retry or recover deliveries of another account', async () => {
  const { alice, bob } = await createTenants()
  const { hookId, ids } = await pending(alice, 1)
  for (const answer of [
    await bob.console('POST', `/v1/deliveries/${ids[0]}/retry`),
    await bob.console('POST', `/v1/hooks/${hookId}/retry`, {}),
    await bob.console('GET', `/v1/hooks/${hookId}/recovery?since=${BEFORE.toISOString()}`),
    await bob.console('POST', `/v1/hooks/${hookId}/recovery`, { since: BEFORE.toISOString() }),
  ]) {
    assert.equal(answer.outcome, 'not_found', answer.error)
  }
  assert.equal(await isDue(alice, ids[0] ?? ''), false)
})
