import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { openAs, RUNS, startSeededConsole } from './support/seeded-console.ts'

test('reviews are selected one by one, in a range with Shift, and all that the feed has loaded', async () => {
  await using seeded = await startSeededConsole({ RADAR_REVIEWS_POLL_INTERVAL: '100ms' })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  const place = { ...RUNS, market: 'en' } as const
  for (const author of ['Ada', 'Ben', 'Cleo', 'Dan']) publish(running, place, { author, rating: 2 })
  await until('the reviews are stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data.length === 4
  })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  const boxes = page.getByRole('checkbox', { name: /^Select review by/ })
  await boxes.nth(3).waitFor()
  const bar = page.getByRole('region', { name: 'Selected reviews' })
  assert.equal(await bar.count(), 0, 'before anything is selected')
  await boxes.nth(0).check()
  await bar.getByText('1 selected').waitFor()
  await boxes.nth(2).click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  await boxes.nth(1).uncheck()
  await bar.getByText('2 selected').waitFor()
  assert.deepEqual(await findings(page), [])
  await bar.getByRole('button', { name: 'Select the 4 loaded' }).click()
  await bar.getByText('4 selected').waitFor()
  const search = page.getByRole('combobox', { name: 'Search in reviews' })
  await search.fill('nothing like this')
  await page.getByText('No reviews match these filters').waitFor()
  await bar.getByText('4 selected').waitFor()
  await search.fill('')
  await boxes.nth(3).waitFor()
  assert.equal(await boxes.and(page.locator(':checked')).count(), 4, 'after a filter without matches')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})
