import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { MemberView } from '../../src/contract/console/people.ts'
import { createAccountObjects, OBJECT_SETTINGS } from '../support/account-objects.ts'
import { createAccountData } from '../support/console-data.ts'
import { openDatabase } from '../support/database-rows.ts'
import { tenant } from '../support/interfaces.ts'
import { radarCommand, startRadar } from '../support/radar-command.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Several times what is deleted before the kill. */
const COPIES = 20_000
/** A review that only the account sees. */
const IMPORTED = {
  store: 'apple',
  market: 'us',
  review_id: 'from 2019',
  rating: 2,
  body: 'Imported by Alice',
  occurred_at: '2019-05-05T05:05:05Z',
}

/** Delivered events of the account, as many as no test could deliver. */
async function addDelivered(running: TestService, accountId: string): Promise<void> {
  await using db = await openDatabase(running.environment)
  const columns = 'occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body'
  const one = `(select * from events where account_id = '${accountId}' limit 1) e`
  await db.run({
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${COPIES})
      insert into events (event_id, ${columns}) select randomblob(32), ${columns} from n, ${one}`,
    postgres: `insert into events (event_id, ${columns})
      select sha256(i::text::bytea), ${columns} from generate_series(1, ${COPIES}) i, ${one}`,
  })
  const deliveries = `insert into deliveries (seq, account_id, hook_id, status, expires_at, delivered_at)
    select seq, account_id, hook_id, 'delivered', created_at, created_at from events e
    where account_id = '${accountId}' and not exists (select 1 from deliveries d where d.seq = e.seq)`
  await db.run({ sqlite: deliveries, postgres: deliveries })
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`a killed deletion of an account continues, and then no table has anything of the account (${engine})`, async () => {
    await using running = await startTestService(OBJECT_SETTINGS, { engine })
    const [alice, bob] = [await tenant(running, 'Alice'), await tenant(running, 'Bob')]
    await using data = await createAccountData(running, alice.owner, '407000001')
    await using _others = await createAccountData(running, bob.owner, '407000002')
    await createAccountObjects(running, alice, data)
    await bob.api('PUT', `/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
    const imported = await running.request('/api/v1/imports/reviews', {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/jsonl' },
      body: JSON.stringify({ ...IMPORTED, app_id: data.appId }),
    })
    assert.equal(imported.status, 200, imported.text)
    const [member] = await alice.owner.fetchJson<MemberView[]>('GET', '/members')
    const ofAlice = [alice.accountId, member?.id ?? '', alice.owner.email]
    await radarCommand(['user', 'reset-password', '--email', alice.owner.email], running.environment)
    await alice.api('PUT', '/alerts', { enabled: true, emails: [alice.owner.email] })
    await addDelivered(running, alice.accountId)
    await running.service.stop()
    await using db = await openDatabase(running.environment)
    const before = await db.rowsWith([bob.accountId])

    const words = ['account', 'delete', '--account', alice.accountId, '--yes']
    const { process: child } = startRadar(words, running.environment)
    const rows = async () => (await db.rowsWith([alice.accountId]))['events.account_id'] ?? 0
    await until('the deletion is under way', async () => (await rows()) < COPIES)
    child.kill('SIGKILL')
    if (child.signalCode === null) await once(child, 'exit')
    assert.ok((await rows()) > 0, 'the kill came too late')

    // A service continues it.
    const another = await running.startAnother()
    await until(
      'the account is gone',
      async () => (await another.storage.accounts.get(alice.accountId)) === null,
    )
    await another.stop()
    assert.deepEqual(await db.rowsWith(ofAlice), {})
    assert.deepEqual(await db.rowsWith(['Imported by Alice']), {})
    assert.deepEqual(await db.rowsWith([bob.accountId]), before)
    assert.notDeepEqual(await db.rowsWith([data.secretText]), {}, 'reviews of the store stay')
    const again = await radarCommand(words, running.environment)
    assert.deepEqual(
      [again.status, again.err.trim()],
      [1, 'radar account delete: There is no account with this id.'],
    )
  })
}

test('an owner deletes the account with its name in a fresh session, and all access ends at once', async () => {
  await using running = await startTestService(OBJECT_SETTINGS)
  // The first account is that of the operator.
  const [alice, bob] = [await tenant(running, 'Alice'), await tenant(running, 'Bob')]
  const carol = await tenant(running, 'Carol')
  const remove = (who: typeof alice, name: string) => who.owner.request('POST', '/account/deletion', { name })
  assert.match((await remove(bob, 'bob')).text, /name must be the name of the account: \\"Bob's\\"/)
  assert.equal((await remove(alice, "Alice's")).status, 409)
  assert.equal((await remove(bob, "Bob's")).status, 204)
  assert.equal((await bob.owner.request('GET', '/members')).status, 401)
  assert.equal((await bob.api('GET', '/hooks')).outcome, 'status 401')
  await until(
    'the account is gone',
    async () => (await running.service.storage.accounts.get(bob.accountId)) === null,
  )
  assert.equal((await alice.api('GET', '/hooks')).outcome, 'done')
  running.clock.leap(16 * 60_000)
  assert.match((await remove(carol, "Carol's")).text, /To delete the account, sign out and in again/)
})
