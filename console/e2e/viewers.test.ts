import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { joined } from '../../test/support/join.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { openAs, RUNS, startSeededConsole } from './support/seeded-console.ts'

test('a viewer is told so on every page, and sees no buttons for the main changes', async () => {
  await using seeded = await startSeededConsole({ RADAR_REVIEWS_POLL_INTERVAL: '100ms' })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  publish(running, { ...RUNS, market: 'en' }, { author: 'Ada', rating: 2 })
  await until('the review is stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data.length === 1
  })
  const { id } = await seeded.newDestination()
  const vera = await joined(running, ann, 'Vera', 'viewer')
  await using visitor = await openAs(running, { ...ann, ...vera })
  const { page } = visitor
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await card.waitFor()
  await page.getByText('You are a viewer of this account').waitFor()
  assert.equal(await page.getByRole('checkbox', { name: /^Select review/ }).count(), 0)
  assert.equal(await card.getByRole('button', { name: /^Triage/ }).count(), 0)
  await card.getByRole('link', { name: 'Details' }).click()
  const section = page.getByRole('region', { name: 'Triage' })
  await section.waitFor()
  assert.equal(await section.getByRole('button', { name: 'Add note' }).count(), 0)
  // The pointer may rest on something with a tooltip, which is outside of the landmarks.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').first().waitFor({ state: 'detached' })
  assert.deepEqual(await findings(page), [])
  await page.goto('/destinations')
  await page.getByRole('heading', { name: 'Destinations' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Add destination' }).count(), 0)
  await page.goto(`/destinations/${id}`)
  await page.getByRole('region', { name: 'Subscriptions' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Pause|Delete|Add subscription)/ }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})
