import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CreatedDestination, DestinationPage } from '../../src/contract/console/destinations.ts'
import { tenant } from '../support/interfaces.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const running = await startTestService({ RADAR_RETRY_WAITS: '20ms,20ms' })
after(() => running[Symbol.asyncDispose]())
const APP = { store: 'apple', appId: '832', market: 'us' } as const
const RULE = { store: 'apple', app_id: '832', event_type: 'review.created' } as const
/** A Google Apps Script web app answers with it after its function has run. */
const ONE_TIME_PAGE = {
  location: 'https://script.googleusercontent.com/macros/echo?user_content_key=abc&lib=def',
}
addApp(running.world, APP)

test('a receiver that redirects after its work gets an event once with redirect accept, and all attempts without', async () => {
  const alice = await running.person('Alice')
  await using accepting = await startReceiver()
  await using failing = await startReceiver()
  for (const receiver of [accepting, failing]) receiver.answerWith(302, ONE_TIME_PAGE)
  const { id } = await alice.client.subscribe({ ...RULE, target_url: accepting.url, redirect: 'accept' })
  const plain = await alice.client.subscribe({ ...RULE, target_url: failing.url })
  assert.equal((await alice.client.getHook(id)).redirect, 'accept')
  assert.equal((await alice.client.getHook(plain.id)).redirect, 'fail')
  await baseline(running, RULE.app_id)
  publish(running, APP, { rating: 2, title: 'One' })
  const last = (hookId: string, status: string) =>
    until(`the delivery is ${status}`, async () => {
      const [delivery] = await running.service.storage.deliveries.list(
        alice.accountId,
        { hookId },
        { limit: 1, before: null },
      )
      return delivery?.status === status ? delivery : null
    })
  const dead = await last(plain.id, 'dead')
  const delivered = await last(id, 'delivered')
  assert.deepEqual([dead.lastReason, dead.lastHttpStatus, failing.requests.length], ['redirect', 302, 3])
  assert.deepEqual(
    [delivered.lastReason, delivered.lastHttpStatus, accepting.requests.length],
    [null, 302, 1],
  )
})

test('a redirect that asks for the same request elsewhere is a failure with redirect accept too', async () => {
  const bob = await running.person('Bob')
  await using receiver = await startReceiver()
  const { id } = await bob.client.subscribe({ ...RULE, target_url: receiver.url, redirect: 'accept' })
  const outcomes: (string | null)[] = []
  for (const status of [301, 302, 303, 304, 307, 308]) {
    receiver.answerWith(status, { location: '/elsewhere' })
    outcomes.push((await bob.client.testHook(id)).reason)
  }
  assert.deepEqual(outcomes, [null, null, null, null, 'redirect', 'redirect'])
  await bob.client.changeHook(id, { redirect: 'fail' })
  receiver.answerWith(303)
  const failed = await bob.client.testHook(id)
  assert.equal(failed.reason, 'redirect')
  assert.match(failed.detail ?? '', /redirects are not followed\. If it did its work nevertheless/)
})

test('the console offers to accept redirects after the first one, and for an address of Google Apps Script', async () => {
  const { owner } = await tenant(running, 'Carol')
  await using receiver = await startReceiver()
  receiver.answerWith(302, ONE_TIME_PAGE)
  const pageOf = (id: string) => owner.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
  const create = (body: object) => owner.fetchJson<CreatedDestination>('POST', '/destinations', body)
  const { id } = await create({ target_url: receiver.url })
  assert.equal((await pageOf(id)).offersRedirect, false)
  await owner.fetchJson('POST', `/v1/hooks/${id}/test`)
  assert.equal((await pageOf(id)).offersRedirect, true)
  await owner.fetchJson('PATCH', `/v1/hooks/${id}`, { redirect: 'accept' })
  const { offersRedirect, redirect } = await pageOf(id)
  assert.deepEqual([offersRedirect, redirect], [false, 'accept'])
  const script = { target_url: 'https://script.google.com/macros/s/AKfy/exec' }
  assert.equal((await pageOf((await create(script)).id)).offersRedirect, true)
  assert.equal((await pageOf((await create({ ...script, redirect: 'accept' })).id)).offersRedirect, false)
})
