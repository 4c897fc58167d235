import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import { publish } from '../../test/support/publish.ts'
import { baseline } from '../../test/support/radar.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openDestination, startSeededConsole } from './support/seeded-console.ts'

/** Subscriptions to spikes of negative reviews and to recoveries of a rating. */

const WHERE = { ...NOTES, market: 'us' }

test('a subscription to review spikes is previewed and saved, and its event lists the newest reviews', async () => {
  await using seeded = await startSeededConsole({ RADAR_REVIEWS_POLL_INTERVAL: '200ms' })
  const { running, ann } = seeded
  const path = `/apps/${NOTES.store}/${NOTES.appId}`
  await ann.fetchJson('PUT', `/v1/tracked-${path.slice(1)}`, { countries: ['us'] })
  await baseline(running, NOTES.appId)
  for (let index = 0; index < 6; index += 1) publish(running, WHERE, { rating: 1 })
  await until('the reviews are stored', async () => {
    const { data: reviews } = await ann.fetchJson<{ data: unknown[] }>('GET', '/v1/reviews')
    return reviews.length === 6
  })
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  await page.getByRole('button', { name: 'Add a subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'App', exact: true }).click()
  await page.getByRole('option', { name: /Larkspur Notes/ }).click()
  await dialog.getByText('Review spikes', { exact: true }).click()
  await dialog
    .getByText(
      'When Larkspur Notes in the United States gets at least 5 reviews with 1 or 2 stars within an hour, and 3 times the usual number.',
    )
    .waitFor()
  await dialog
    .getByText('It would have sent 1 event in the last 30 days. Only new spikes are sent.')
    .waitFor()
  await dialog.getByLabel('At least').fill('7')
  await dialog.getByText('It would have sent 0 events in the last 30 days.').waitFor()
  await dialog.getByLabel('Multiple of the usual number').fill('2.5')
  await dialog.getByText(/gets at least 7 reviews .* and 2\.5 times the usual number\.$/).waitFor()
  assert.deepEqual(await findings(page), [])

  await dialog.getByLabel('At least').fill('2000')
  await dialog.getByLabel('At least').blur()
  await dialog.getByText(/at least 1,?000 reviews/).waitFor()
  await dialog.getByLabel('At least').fill('6')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/gets at least 6 reviews/).waitFor()
  const hook = await running.service.storage.hooks.get(ann.accountId, id)
  assert.deepEqual(
    hook?.watches.map(({ eventType, spike }) => [eventType, spike]),
    [
      ['review.created', null],
      ['reviews.spiked', { minReviews: 6, factor: 2.5 }],
    ],
  )

  for (let index = 0; index < 6; index += 1) publish(running, WHERE, { rating: index === 5 ? 2 : 1 })
  await page.goto('/deliveries?eventType=reviews.spiked')
  await page.getByText('6 in an hour · US').first().click()
  const sent = page.getByRole('article', { name: 'What was sent' })
  await sent.getByText('6 in an hour · US').waitFor()
  assert.equal(await sent.getByRole('link', { name: 'View review' }).count(), 5)
  assert.deepEqual(await findings(page), [])

  await sent.getByRole('link', { name: 'View review' }).first().click()
  await page
    .getByText(/^What \d+ people say/)
    .first()
    .waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a subscription to rating recoveries is previewed and saved', async () => {
  await using seeded = await startSeededConsole({ RADAR_RATINGS_POLL_INTERVAL: '200ms' })
  const { running, ann } = seeded
  const path = `/apps/${NOTES.store}/${NOTES.appId}`
  await ann.fetchJson('PUT', `/v1/tracked-${path.slice(1)}`, { countries: ['us'] })
  for (const [index, average] of ['4.5', '4.3', '4.5'].entries()) {
    const count = 1_001 + index
    running.world.setRating({ ...NOTES, storefront: 'us' }, { average, count })
    await until('the rating is stored', async () => {
      const { ratings } = (await ann.fetchJson<AppPage>('GET', path)).app
      return ratings[0]?.rating_count === count
    })
  }
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.getByRole('button', { name: 'Add a subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'App', exact: true }).click()
  await page.getByRole('option', { name: /Larkspur Notes/ }).click()
  await dialog.getByText('Rating recoveries', { exact: true }).click()
  await dialog.getByText('Enter at least one of the two values.').waitFor()
  await dialog.getByLabel('After a fall by at least').fill('0.2')
  await dialog
    .getByText('It would have sent 1 event in the last 90 days. Only new recoveries are sent.')
    .waitFor()
  assert.deepEqual(await findings(page), [])
  await dialog.getByRole('radio', { name: 'All apps' }).check()
  await dialog.getByText(/any app/).waitFor()
  await dialog.getByText('It would have sent 1 event in the last 90 days.').waitFor()
  await dialog.getByRole('radio', { name: 'One app' }).check()

  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/is back to its value before it fell by 0\.2 or more\.$/).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Add a subscription' }).click()
  await dialog.getByText('Rating recoveries', { exact: true }).click()

  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})
