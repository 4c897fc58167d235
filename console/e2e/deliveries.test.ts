import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openDestination, startSeededConsole } from './support/seeded-console.ts'

const later = () => new Date(Date.now() + 2_000)

test('a delivery shows its event, opens beside the list, and is found by its event ID', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  const where = { ...NOTES, market: 'us' }
  publish(running, where, { title: 'Lost my notes', body: 'All gone.', rating: 1, publishedAt: later() })
  publish(running, where, { title: 'Lovely', body: 'Fast.', rating: 5, publishedAt: later() })
  await receiver.received(2)
  await page.goto('/deliveries')
  const row = page.getByRole('row').filter({ hasText: 'Lost my notes' })
  await row.getByRole('img', { name: '1 of 5 stars' }).waitFor()
  await row.getByText('New review · Larkspur Notes · US').waitFor()
  await row.getByText(/^after /).waitFor()
  await row.getByRole('link', { name: receiver.url }).waitFor()

  await row.getByRole('link', { name: 'Lost my notes' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByRole('article', { name: 'What was sent' }).getByText('All gone.').waitFor()
  const eventId = (await drawer.locator('code').first().textContent()) ?? ''
  const base = drawer
    .locator('pre')
    .filter({ hasText: `${eventId}.` })
    .first()
  assert.match((await base.textContent()) ?? '', new RegExp(`^${eventId}\\.\\d+\\.{"id":`))
  const payload = drawer.locator('.json')
  await payload.getByText('"enrichment":').click()
  assert.equal(await payload.getByText('"sentiment":').isVisible(), false, 'the object is collapsed')
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.getByLabel('Event ID').fill(eventId.slice(0, 10))
  await page.getByText('64 hexadecimal digits').waitFor()
  await page.getByLabel('Event ID').fill(eventId)
  await page.getByRole('link', { name: 'Lovely' }).waitFor({ state: 'detached' })
  assert.ok(page.url().includes(`event_id=${eventId}`))
  await row.getByRole('link', { name: 'Lost my notes' }).click()
  await drawer.getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('link', { name: 'View review' }).click()
  await page.getByRole('heading', { name: 'Review of Larkspur Notes', level: 1 }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('the delivery of a rating drop shows both ratings and the storefront', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  await ann.fetchJson('POST', `/v1/hooks/${id}/watches`, {
    store: NOTES.store,
    app_id: NOTES.appId,
    event_type: 'rating.dropped',
    delta: 0.1,
  })
  const { storage } = running.service
  await until('the rating has a baseline', async () =>
    (await storage.feeds.list({ failingOnly: false, limit: 100 })).some(
      ({ kind, baseline }) => kind === 'rating' && baseline !== null,
    ),
  )
  running.world.setRating({ ...NOTES, storefront: 'us' }, { average: '4.10', count: 1_001 })
  await receiver.received(1)
  await page.goto('/deliveries')
  await page.getByRole('link', { name: '4.50 → 4.10 · US' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})
