import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { test } from 'node:test'
import { openDatabase } from '../support/database-rows.ts'
import { tenant } from '../support/interfaces.ts'
import { fillAccount } from '../support/large-account.ts'
import { listen } from '../support/listen.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const APP = { store: 'apple', appId: '409000001', market: 'us' } as const
/** More than the buffers of a connection hold. */
const REVIEWS = 30_000
const DESTINATIONS = 5
const REVIEWS_SENT = 8
/** The test deletes as well, in larger steps than the service, so that it does not wait for long. */
const STEP_ROWS = 5_000

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`an export, a stream and deliveries in flight end with a reason when their account is deleted (${engine})`, async () => {
    await using running = await startTestService({}, { engine })
    const held: ServerResponse[] = []
    await using receiver = await listen(createServer((_request, response) => held.push(response)))
    // The first account is that of the operator.
    await tenant(running, 'Olivia')
    const alice = await tenant(running, 'Alice')
    addApp(running.world, APP)
    for (let count = 0; count < DESTINATIONS; count += 1)
      await alice.console('POST', '/destinations', {
        target_url: `${receiver.url}/${count}`,
        watch: { store: APP.store, app_id: APP.appId, event_type: 'review.created' },
      })
    await baseline(running, APP.appId)
    await fillAccount(running, alice.accountId, APP, { destinations: 0, reviews: REVIEWS })
    for (let count = 0; count < REVIEWS_SENT; count += 1) publish(running, APP)
    await until('deliveries are in flight', () => held.length >= DESTINATIONS)

    const stream = await fetch(`${running.url}/api/console/stream`, {
      headers: { cookie: alice.owner.cookie() },
    })
    const streamed = stream.text()
    const exported = await fetch(`${running.url}/api/v1/exports/reviews?format=jsonl`, {
      headers: { authorization: `Bearer ${alice.token}` },
    })
    assert.equal(exported.status, 200)
    const deletion = await alice.console('POST', '/account/deletion', { name: "Alice's" })
    assert.equal(deletion.outcome, 'done', deletion.error)

    await assert.rejects(exported.text(), /terminated/)
    assert.match(await streamed, /event: ended\ndata: {"reason":"account_deleted"}\n\n$/)
    const { accounts } = running.service.storage
    await until('requests in flight are all that is left', async () => {
      return (await accounts.deletionStep(alice.accountId, running.clock.now(), STEP_ROWS)) === 'waiting'
    })
    for (const response of held) response.writeHead(204).end()
    await until('the account is gone', async () => (await accounts.get(alice.accountId)) === null)
    await using db = await openDatabase(running.environment)
    assert.deepEqual(await db.rowsWith([alice.accountId]), {})
    const requests = held.length
    assert.deepEqual(await running.service.stop(), [])
    assert.equal(held.length, requests, 'nothing is sent any more')
  })
}
