import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenMade } from '../../src/contract/console/people.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { NOTES, openAs, openDestination, startInhabited } from './support/inhabited.ts'

const later = () => new Date(Date.now() + 2_000)

test('a paused destination holds what comes, and resuming sends it', async () => {
  await using inhabited = await startInhabited()
  const { running, receiver } = inhabited
  await using visitor = await openDestination(inhabited)
  const { page, id } = visitor
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('paused', { exact: true }).waitFor()
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await page.goto('/deliveries?status=held')
  await page.getByText('held while paused').waitFor()
  assert.equal(receiver.requests.length, 0)
  await page.goto(`/destinations/${id}`)
  await page.getByRole('button', { name: 'Resume' }).click()
  await receiver.received(1)
  assert.deepEqual(visitor.complaints, [])
})

test('a delivery that waits tells when it is tried next, and once its turn has come that it is due', async () => {
  await using inhabited = await startInhabited()
  const { running, receiver } = inhabited
  receiver.answerWith(503, { 'retry-after': '3600' })
  await using visitor = await openDestination(inhabited)
  const { page } = visitor
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await receiver.received(1)
  await page.goto('/deliveries?status=pending')
  await page.getByText(/^next try in /).waitFor()
  await page.clock.setFixedTime(Date.now() + 2 * 3_600_000)
  await page.goto('/deliveries?status=pending')
  await page.getByText(/^due .* ago$/).waitFor()
  assert.deepEqual(visitor.complaints, [])
})

test('a rotated secret is shown once, and a watch is edited in words', async () => {
  await using inhabited = await startInhabited()
  await using visitor = await openDestination(inhabited)
  const { page } = visitor
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  assert.match((await page.getByRole('dialog').locator('code').textContent()) ?? '', /^whsec_/)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  assert.equal(await page.getByText(/^whsec_/).count(), 0)

  await page.getByRole('button', { name: /^Edit / }).click()
  await page.getByText('Rating drops').click()
  await page.getByLabel('Falls by at least').fill('0.2')
  await page
    .getByRole('dialog')
    .getByText(/falls by 0\.2/)
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page
    .getByRole('region', { name: 'What it is sent' })
    .getByText(/falls by 0\.2/)
    .waitFor()
  assert.deepEqual(visitor.complaints, [])
})

test('a hook made through the API is read-only here, with a way to disconnect it', async () => {
  await using inhabited = await startInhabited()
  const { running, ann, receiver } = inhabited
  const { value: token } = await ann.told<TokenMade>('POST', '/tokens', { name: 'n8n' })
  const subscribed = await running.request('/api/v1/hooks', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      target_url: receiver.url,
      store: NOTES.store,
      app_id: NOTES.appId,
      event_type: 'review.created',
      source: 'n8n',
      external_ref: 'workflow 7',
    }),
  })
  assert.equal(subscribed.status, 200, subscribed.text)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/destinations')
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByText('Managed by n8n').waitFor()
  await page.getByText('workflow 7').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Rotate secret' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Add a watch' }).count(), 0)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/cannot be taken back/).waitFor()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No destinations yet').waitFor()
  const hooks = await running.request('/api/v1/hooks', { headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual(hooks.json(), [])
  await until(
    'the app left the poll set',
    async () => (await running.service.storage.feeds.list({ failingOnly: false, limit: 10 })).length === 0,
  )
  assert.deepEqual(visitor.complaints, [])
})
