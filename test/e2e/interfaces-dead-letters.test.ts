import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Replay, ReplayStatus } from '../../src/storage/port/dead-letters.ts'
import { type CallResult, forEachInterface, type Tenant, tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'
import { settledDeliveries } from '../support/settled-deliveries.ts'

// The service does not send, so that tests see only the changes of operations.
const running = await startTestService({ RADAR_ROLES: 'api' })
after(() => running[Symbol.asyncDispose]())
const { deadLetters, deliveries } = running.service.storage
let tenants = 0

/** New accounts for each test: replays and dead letters of other tests must not count. */
async function createTenants(): Promise<{ readonly alice: Tenant; readonly bob: Tenant }> {
  tenants += 1
  return { alice: await tenant(running, `Alice${tenants}`), bob: await tenant(running, `Bob${tenants}`) }
}

type Filter = { readonly hookId?: string; readonly httpStatus?: number }

/** The operations on dead letters, through both interfaces. */
type DeadInterface = {
  readonly replay: (who: Tenant, eventIds: readonly string[]) => Promise<CallResult>
  readonly discard: (who: Tenant, eventIds: readonly string[]) => Promise<CallResult>
  readonly start: (who: Tenant, filter: Filter, ratePerSecond?: number) => Promise<CallResult>
  readonly setStatus: (
    who: Tenant,
    id: string,
    status: 'running' | 'paused' | 'cancelled',
  ) => Promise<CallResult>
  readonly exported: (who: Tenant) => Promise<CallResult>
}

const VERBS = { running: 'resume', paused: 'pause', cancelled: 'cancel' } as const

const INTERFACES: Readonly<Record<string, DeadInterface>> = {
  console: {
    replay: (who, eventIds) => who.console('POST', '/v1/dead-letters/replay', { event_ids: eventIds }),
    discard: (who, eventIds) => who.console('POST', '/v1/dead-letters/discard', { event_ids: eventIds }),
    start: (who, { hookId, httpStatus }, ratePerSecond) =>
      who.console('POST', '/v1/replays', {
        filter: { hook_id: hookId, http_status: httpStatus },
        ...(ratePerSecond !== undefined && { rate_per_second: ratePerSecond }),
      }),
    setStatus: (who, id, status) => who.console('PUT', `/v1/replays/${id}`, { status }),
    exported: (who) => who.console('GET', '/v1/exports/dead-letters?format=jsonl'),
  },
  command: {
    replay: (who, ids) => who.command('dead', 'replay', '--account', who.accountId, ...ids),
    discard: (who, ids) => who.command('dead', 'discard', '--account', who.accountId, ...ids),
    start: (who, { hookId, httpStatus }, rate) =>
      who.command(
        ...['dead', 'replay', '--yes', '--account', who.accountId],
        ...(hookId === undefined ? [] : ['--hook', hookId]),
        ...(httpStatus === undefined ? [] : ['--http-status', String(httpStatus)]),
        ...(rate === undefined ? [] : ['--rate', String(rate)]),
      ),
    setStatus: (who, id, status) => who.command('dead', VERBS[status], id),
    exported: (who) => who.command('dead', 'export', '--account', who.accountId),
  },
}

/** A command ends with status 2 for `invalid`, and with one status for all other errors. */
function assertRejected(
  answer: CallResult,
  outcome: 'invalid' | 'not_found' | 'conflict',
  error: RegExp,
): void {
  const ofCommand = outcome === 'invalid' ? 'usage' : 'failed'
  assert.ok([outcome, ofCommand].includes(answer.outcome), `${answer.outcome}: ${answer.error}`)
  assert.match(answer.error, error)
}

/** Creates a hook of `who` with `count` dead letters. */
const letters = (who: Tenant, count: number) =>
  settledDeliveries(running, who, count, { status: 'dead', reason: 'attempts_exhausted' })

const countOf = (who: Tenant) => deadLetters.count(who.accountId, {})
const replaysOf = (who: Tenant) => deadLetters.listReplays(who.accountId, 100)

async function onlyReplay(who: Tenant): Promise<Replay> {
  const [replay, ...others] = await replaysOf(who)
  assert.equal(others.length, 0)
  return replay ?? assert.fail('no replay is stored')
}

forEachInterface(INTERFACES, 'replay queues the named dead letters of the account again', async (via) => {
  const { alice, bob } = await createTenants()
  const { ids } = await letters(alice, 3)
  const [first = '', second = ''] = ids
  const ofOtherAccount = await via.replay(bob, [first])
  assert.match(ofOtherAccount.text, /"replayed":0|^0 dead letters/)
  assert.equal(await countOf(alice), 3)
  const answer = await via.replay(alice, [first, second, second])
  assert.equal(answer.outcome, 'done', answer.error)
  assert.match(answer.text, /"replayed":2|^2 dead letters/)
  assert.equal((await deliveries.get(alice.accountId, first))?.status, 'pending')
  assert.equal(await countOf(alice), 1)
})

forEachInterface(
  INTERFACES,
  'replay and discard reject invalid event ids and too many of them',
  async (via) => {
    const { alice } = await createTenants()
    const many = Array.from({ length: 501 }, (_, index) => index.toString(16).padStart(64, '0'))
    for (const wrong of [['some-event'], many]) {
      for (const run of [via.replay, via.discard]) {
        assertRejected(await run(alice, wrong), 'invalid', /event ids|at most 500|64 lowercase/)
      }
    }
  },
)

forEachInterface(INTERFACES, 'discard resolves the named dead letters of the account', async (via) => {
  const { alice, bob } = await createTenants()
  const { ids } = await letters(alice, 2)
  const [first = ''] = ids
  await via.discard(bob, [first])
  assert.equal(await countOf(alice), 2)
  const answer = await via.discard(alice, [first])
  assert.equal(answer.outcome, 'done', answer.error)
  assert.equal(await countOf(alice), 1)
})

forEachInterface(
  INTERFACES,
  'export writes one record for each dead letter, with the same fields',
  async (via) => {
    const { alice, bob } = await createTenants()
    const { hookId, ids } = await letters(alice, 2)
    const { text } = await via.exported(alice)
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(records.map(({ event_id }) => event_id).sort(), [...ids].sort())
    const { created_at, dead_at, ...record } = records.find(({ event_id }) => event_id === ids[0])
    assert.ok(created_at && dead_at)
    assert.deepEqual(record, {
      event_id: ids[0],
      hook_id: hookId,
      account_id: alice.accountId,
      target_url: 'https://example.com/hook',
      event_type: 'review.created',
      store: 'apple',
      app_id: '1',
      reason: 'attempts_exhausted',
      attempts: 1,
      last_http_status: 500,
      last_reason: 'http_status',
      payload: { index: 0 },
    })
    assert.equal((await via.exported(bob)).text, '')
  },
)

forEachInterface(INTERFACES, 'a bulk replay contains the dead letters that match its filter', async (via) => {
  const { alice } = await createTenants()
  const { hookId } = await letters(alice, 2)
  const other = await letters(alice, 1)
  const answer = await via.start(alice, { hookId, httpStatus: 500 }, 0.5)
  assert.equal(answer.outcome, 'done', answer.error)
  const { filter, total, ratePerSecond, status } = await onlyReplay(alice)
  assert.deepEqual(filter, { hookId, httpStatus: 500 })
  assert.deepEqual([total, ratePerSecond, status], [2, 0.5, 'running'])
  assert.ok(other.hookId !== hookId)
})

forEachInterface(
  INTERFACES,
  'a bulk replay is rejected for a hook of another account and for an invalid rate',
  async (via) => {
    const { alice, bob } = await createTenants()
    const { hookId } = await letters(bob, 1)
    const ofBob = await via.start(alice, { hookId })
    assertRejected(ofBob, 'not_found', /The account has no hook/)
    assertRejected(await via.start(alice, {}, 1_001), 'invalid', /0\.1 to 1000/)
    assert.deepEqual([await replaysOf(alice), await replaysOf(bob)], [[], []])
  },
)

forEachInterface(INTERFACES, 'an account has at most ten open replays', async (via) => {
  const { alice, bob } = await createTenants()
  await letters(alice, 1)
  await letters(bob, 1)
  const start = () => via.start(alice, {}, 1)
  for (let nth = 0; nth < 9; nth += 1) {
    const { accountId } = alice
    const replay = { id: `rpl_${accountId}_${nth}`, accountId, filter: {}, ratePerSecond: 1 }
    await deadLetters.createReplays([{ ...replay, createdAt: running.clock.now() }])
  }
  assert.equal((await start()).outcome, 'done')
  assertRejected(await start(), 'conflict', /limit of 10 running or paused replays/)
  assert.equal((await replaysOf(alice)).length, 10)
  assert.equal((await via.start(bob, {}, 1)).outcome, 'done')
  await via.setStatus(alice, `rpl_${alice.accountId}_0`, 'cancelled')
  assert.equal((await start()).outcome, 'done')
})

forEachInterface(
  INTERFACES,
  'a bulk replay can be paused, resumed and cancelled, and cannot be changed after that',
  async (via) => {
    const { alice } = await createTenants()
    await letters(alice, 1)
    await via.start(alice, {}, 1)
    const { id } = await onlyReplay(alice)
    const statuses: ReplayStatus[] = []
    for (const status of ['paused', 'running', 'cancelled'] as const) {
      const answer = await via.setStatus(alice, id, status)
      assert.equal(answer.outcome, 'done', answer.error)
      statuses.push((await onlyReplay(alice)).status)
    }
    assert.deepEqual(statuses, ['paused', 'running', 'cancelled'])
    assertRejected(await via.setStatus(alice, id, 'running'), 'conflict', /This replay has ended/)
    assertRejected(await via.setStatus(alice, 'rpl_none', 'paused'), 'not_found', /no replay with this id/)
  },
)

test('the console returns 404 for replays and deliveries of another account', async () => {
  const { alice, bob } = await createTenants()
  const { ids } = await letters(alice, 1)
  await INTERFACES.console?.start(alice, {})
  const { id } = await onlyReplay(alice)
  for (const answer of [
    await bob.console('PUT', `/v1/replays/${id}`, { status: 'cancelled' }),
    await bob.console('GET', `/v1/deliveries/${ids[0]}`),
    await bob.console('POST', `/v1/deliveries/${ids[0]}/resend`),
  ]) {
    assert.equal(answer.outcome, 'not_found', answer.error)
  }
  assert.equal((await onlyReplay(alice)).status, 'running')
})

test('resend sends a dead letter again, and rejects a pending delivery and one of a deleted destination', async () => {
  const { alice } = await createTenants()
  const { hookId, ids } = await letters(alice, 2)
  const resend = (id = '') => alice.console('POST', `/v1/deliveries/${id}/resend`)
  assert.equal((await resend(ids[0])).outcome, 'done')
  assertRejected(await resend(ids[0]), 'conflict', /It is already being sent/)
  await alice.console('DELETE', `/v1/hooks/${hookId}`)
  assertRejected(await resend(ids[1]), 'conflict', /Its destination was deleted/)
})
