import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CreatedToken } from '../../src/contract/console/people.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { NOTES, openAs, openDestination, startSeededConsole } from './support/seeded-console.ts'

const later = () => new Date(Date.now() + 2_000)

test('a paused destination holds new events, and resuming sends them', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await page.goto('/deliveries?status=held')
  await page.getByText('Destination paused').waitFor()
  assert.equal(receiver.requests.length, 0)
  await page.goto(`/destinations/${id}`)
  await page.getByRole('button', { name: 'Resume' }).click()
  await receiver.received(1)
  assert.deepEqual(visitor.errors, [])
})

test('a pending delivery shows its next attempt, and after that time that it is due', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  receiver.answerWith(503, { 'retry-after': '3600' })
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await receiver.received(1)
  await page.goto('/deliveries?status=pending')
  await page.getByText(/^Next attempt in /).waitFor()
  await page.clock.setFixedTime(Date.now() + 2 * 3_600_000)
  await page.goto('/deliveries?status=pending')
  await page.getByText(/^Due .* ago$/).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a rotated secret is shown once, and the sentence of an edited subscription updates', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  assert.match((await page.getByRole('dialog').locator('code').textContent()) ?? '', /^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  assert.equal(await page.getByText(/^whsec_/).count(), 0)
  const rotation = page.getByRole('alert').filter({ hasText: 'Old secrets are still valid' })
  await rotation.getByText('Old secret: signs webhook-signature only. Expires in').waitFor()
  await rotation.getByRole('button', { name: 'Revoke old secrets' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke old secrets' }).click()
  await rotation.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: /^Edit / }).click()
  await page.getByText('Rating drops', { exact: true }).click()
  await page.getByLabel('Falls by at least').fill('0.2')
  await page
    .getByRole('dialog')
    .getByText(/falls by 0\.2/)
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).last().click()
  await page
    .getByRole('region', { name: 'Subscriptions' })
    .getByText(/falls by 0\.2/)
    .waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a hook created through the API can be named, limited, paused and disconnected', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  const { value: token } = await ann.fetchJson<CreatedToken>('POST', '/tokens', { name: 'n8n' })
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
  assert.equal(await page.getByRole('button', { name: 'Add a subscription' }).count(), 0)
  assert.equal(await page.getByLabel('URL').count(), 0)
  await page.getByLabel('Name').fill('Tickets of n8n')
  await page.getByLabel('Max. requests per second').fill('5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Tickets of n8n', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Active', { exact: true }).waitFor()
  const [hook] = await running.service.storage.hooks.list(ann.accountId)
  assert.deepEqual([hook?.name, hook?.ratePerSecond, hook?.status], ['Tickets of n8n', 5, 'active'])
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/cannot be undone/).waitFor()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No destinations yet').waitFor()
  const hooks = await running.request('/api/v1/hooks', { headers: { authorization: `Bearer ${token}` } })
  assert.deepEqual(hooks.json(), [])
  await until(
    'the app left the poll set',
    async () => (await running.service.storage.feeds.list({ failingOnly: false, limit: 10 })).length === 0,
  )
  assert.deepEqual(visitor.errors, [])
})

test('a failing destination shows since when, in the list, on its page and in the status on every page', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  // Without a delivered event the overview shows the first steps.
  await seeded.ann.fetchJson('POST', `/v1/hooks/${id}/test`, {})
  receiver.answerWith(500)
  for (let count = 0; count < 3; count += 1) {
    publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  }
  await page.getByText(/^Failing since \d\d:\d\d/).waitFor()
  await page.getByText('Attempt success (24 h)').waitFor()
  await page.goto('/destinations')
  await page.getByText(/^Failing since/).waitFor()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/')
  const strip = page.getByRole('status')
  await strip.getByText(`Deliveries to ${receiver.url} fail.`).waitFor()
  await strip.getByRole('link').click()
  const failing = page.getByRole('article').filter({ hasText: `Deliveries to ${receiver.url} fail.` })
  await failing.getByRole('link', { name: 'Show' }).click()
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor()
  requested.length = 0
  await page.goto('/')
  await page
    .getByRole('region', { name: 'Notices' })
    .getByRole('link', { name: receiver.url })
    .first()
    .waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Dead letters 3' }).waitFor()
  assert.ok(requested.includes('/api/console/session'), `${requested}`)
  assert.ok(!requested.includes('/api/console/destinations'), 'the overview loads the list of destinations')

  receiver.answerWith(204)
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await failing.waitFor({ state: 'hidden' })
  assert.ok(!requested.includes('/api/console/destinations'), 'an update loads the list of destinations')
  await page
    .getByRole('region', { name: 'Notices' })
    .getByRole('link', { name: receiver.url })
    .first()
    .click()
  await page.getByText('Active', { exact: true }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a destination is shown by its name, in the list, with its deliveries and in filters', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.getByLabel('Name').fill('Support team')
  await page.getByLabel('Description').fill('Opens a ticket')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Support team', level: 1 }).waitFor()
  await page.getByText(receiver.url).first().waitFor()
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: later() })
  await receiver.received(1)
  await page.goto('/destinations')
  const card = page.getByRole('row').filter({ hasText: 'Support team' })
  await card.getByText('Opens a ticket').waitFor()
  await page.getByLabel('Search destinations').fill('no such text')
  await page.getByText('No destinations match these filters').waitFor()
  await page.getByLabel('Search destinations').fill('ticket')
  await card.getByText(receiver.url).waitFor()
  await page.goto('/deliveries')
  await page.getByRole('row').getByRole('link', { name: 'Support team' }).waitFor()
  await page.getByRole('combobox', { name: 'Destination' }).click()
  await page.getByRole('option', { name: 'Support team' }).click()
  await page.waitForURL(/hook_id=/)
  assert.deepEqual(visitor.errors, [])
})

test('a destination whose receiver redirects after its work offers to accept that, and a Google Apps Script has it from the start', async () => {
  await using seeded = await startSeededConsole()
  const { receiver } = seeded
  receiver.answerWith(302, { location: 'https://script.googleusercontent.com/macros/echo' })
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('button', { name: 'Accept redirects' }).click()
  await page.getByText('The receiver answers with a redirect').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Accepted, HTTP 302').waitFor()
  await page.reload()
  await page.getByRole('checkbox', { name: 'Accept redirects as success', checked: true }).waitFor()

  await page.goto('/destinations/new')
  const option = page.getByRole('checkbox', { name: 'Accept redirects as success' })
  assert.equal(await option.count(), 0)
  await page.getByRole('textbox', { name: 'URL' }).fill('https://script.google.com/macros/s/AKfy/exec')
  assert.equal(await option.isChecked(), true)
  assert.deepEqual(visitor.errors, [])
})
