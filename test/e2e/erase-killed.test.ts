import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { radarCommand, startRadar } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The command pauses between two reviews, so that these take it seconds. */
const IMPORTED = 300
/** In the past by the clock of the service, too. */
const OCCURRED_AT = '2020-01-01T00:00:00Z'

test('a command that erases an app and is killed in the middle ends with nothing left when it is repeated', async () => {
  await using running = await startTestService({}, { engine: 'sqlite' })
  const [alice, bob] = [await tenant(running, 'Alice'), await tenant(running, 'Bob')]
  await using data = await createAccountData(running, alice.owner, '408000004')
  await bob.api('PUT', `/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
  const { data: reviews } = (await alice.api('GET', '/reviews')).json<{ data: object[] }>()
  const rows = Array.from({ length: IMPORTED }, (_, n) =>
    JSON.stringify({
      ...reviews[0],
      country: undefined,
      occurred_at: OCCURRED_AT,
      review_id: `imported ${n}`,
    }),
  )
  const imported = await fetch(`${running.url}/api/v1/imports/reviews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/x-ndjson' },
    body: `${rows.join('\n')}\n`,
  })
  assert.equal(imported.status, 200, await imported.text())
  const left = async () =>
    (await bob.api('GET', `/reviews/count?app_id=${data.appId}`)).json<{ count: number }>().count
  const before = await left()
  assert.ok(before >= IMPORTED)

  const words = ['erase', '--app', `apple/${data.appId}`, '--yes']
  const command = startRadar(words, running.environment)
  await until('some reviews are erased', async () => (await left()) < before - 10)
  command.process.kill('SIGKILL')
  await once(command.process, 'close')
  assert.ok((await left()) > 0, 'it was killed in the middle')
  const repeated = await radarCommand(words, running.environment)
  assert.equal(repeated.status, 0, repeated.err)
  assert.equal(await left(), 0)
  const { data: log } = (await bob.api('GET', '/audit-log?action=review.erased')).json<{ data: object[] }>()
  assert.equal(log.length, 2, 'also the killed command left its entry')
})
