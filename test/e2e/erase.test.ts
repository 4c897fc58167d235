import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccountData } from '../support/console-data.ts'
import { openDatabase } from '../support/database-rows.ts'
import { tenant } from '../support/interfaces.ts'
import { baseline, waitUntilProcessed } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'

/** The receiver of this account answers every request with the text, also that of its test event. */
const ANSWERED = { 'tests.record': 1 }

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`an erased review is in no table any more, and the next polls do not bring it back (${engine})`, async () => {
    await using running = await startTestService({}, { engine })
    const [alice, bob] = [await tenant(running, 'Alice'), await tenant(running, 'Bob')]
    await using data = await createAccountData(running, alice.owner, '408000001')
    await using db = await openDatabase(running.environment)
    assert.notDeepEqual(await db.rowsWith([data.secretText]), {})
    const find = async () => {
      const { data: reviews } = (await alice.api('GET', '/reviews')).json<{
        data: { fingerprint: string }[]
      }>()
      return reviews.map(({ fingerprint }) => fingerprint)
    }
    const [first = '', second = ''] = await find()

    await bob.api('PUT', `/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
    for (const refused of [
      await bob.api('DELETE', `/reviews/${first}`),
      await alice.api('DELETE', `/reviews/${first}`),
    ])
      assert.match(refused.error, /Only the operator can erase them/)
    assert.equal((await bob.console('DELETE', `/v1/reviews/${first}`)).outcome, 'forbidden')
    // The first account is that of the operator.
    const erased = await alice.console('DELETE', `/v1/reviews/${first}`)
    assert.equal(erased.outcome, 'done')
    assert.equal((await alice.console('DELETE', `/v1/reviews/${first}`)).outcome, 'not_found')

    const { status, out, err } = await radarCommand(
      ['erase', '--review', second, '--yes'],
      running.environment,
    )
    assert.deepEqual([status, out], [0, 'Erased: 1 review, 1 event.\n'], err)
    await baseline(running, data.appId)
    await waitUntilProcessed(running, data.appId)
    assert.deepEqual(await db.rowsWith([data.secretText]), ANSWERED)
    assert.deepEqual(await find(), [])
    const log = (await alice.api('GET', '/audit-log?action=review.erased')).json<{
      data: { target: string }[]
    }>()
    assert.deepEqual(
      log.data.map(({ target }) => target),
      [second, first],
    )
  })
}

test('erasing a review leaves an entry in the audit log of each account that lost something, once', async () => {
  await using running = await startTestService()
  const [operator, alice] = [await tenant(running, 'Operator'), await tenant(running, 'Alice')]
  await using data = await createAccountData(running, alice.owner, '408000003')
  const { data: reviews } = (await alice.api('GET', '/reviews')).json<{ data: { fingerprint: string }[] }>()
  const [first = '', second = ''] = reviews.map(({ fingerprint }) => fingerprint)
  await operator.api('PUT', `/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
  assert.equal((await operator.console('DELETE', `/v1/reviews/${first}`)).outcome, 'done')
  await radarCommand(['erase', '--review', second, '--yes'], running.environment)
  await radarCommand(['erase', '--app', `apple/${data.appId}`, '--yes'], running.environment)
  const log = async ({ api }: typeof alice) =>
    (await api('GET', '/audit-log?action=review.erased'))
      .json<{ data: { target: string; actor: { name: string } }[] }>()
      .data.map(({ target, actor }) => [target, actor.name])
  assert.deepEqual(await log(operator), [[first, 'operator@example.com']])
  assert.deepEqual((await log(alice)).slice(-2), [
    [second, 'radar erase'],
    [first, 'operator'],
  ])
})

test('all reviews of an author or an app are erased by a command, which asks first', async () => {
  await using running = await startTestService()
  const alice = await tenant(running, 'Alice')
  await using data = await createAccountData(running, alice.owner, '408000002')
  await using db = await openDatabase(running.environment)
  const list = async () =>
    (await alice.api('GET', '/reviews'))
      .json<{ data: { author: string }[] }>()
      .data.map(({ author }) => author)
  const [author, ...others] = await list()
  const erase = (...words: string[]) => radarCommand(['erase', ...words], running.environment)
  assert.match((await erase('--author', `apple/${author}`)).err, /requires confirmation on a terminal/)
  assert.equal((await list()).length, others.length + 1)
  assert.match((await erase()).err, /Exactly one of --review, --author and --app is required/)
  assert.match((await erase('--review', 'x')).err, /must be 64 lowercase hexadecimal digits/)
  assert.match((await erase('--author', 'x')).err, /must be apple\/NAME or google\/NAME/)
  assert.equal((await erase('--author', `apple/${author}`, '--yes')).out, 'Erased: 1 review, 1 event.\n')
  assert.deepEqual(await list(), others)
  const { status, err } = await erase('--app', `apple/${data.appId}`, '--yes')
  assert.equal(status, 0, err)
  assert.deepEqual(await list(), [])
  assert.deepEqual(await db.rowsWith([data.secretText]), ANSWERED)
})
