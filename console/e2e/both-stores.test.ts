import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addApp } from '../../test/support/service.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, RUNS, startSeededConsole } from './support/seeded-console.ts'

test('an app in both stores is one search result, tracked with one click, and one card until ungrouped', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const listing = { store: 'google', appId: 'com.example.larkspur', name: 'Larkspur Notes: write' } as const
  addApp(running.world, listing, { average: '4.1', count: 70 }, ['us'])
  await ann.fetchJson('PUT', `/v1/tracked-apps/${RUNS.store}/${RUNS.appId}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann, { width: 360, height: 740, colorScheme: 'dark' })
  const { page } = visitor
  await page.goto('/apps/add')
  await page.getByLabel('App', { exact: true }).fill('Larkspur')
  const pair = page.getByRole('region', { name: 'Larkspur Notes in both stores' })
  await pair.getByRole('article', { name: 'Larkspur Notes, App Store' }).waitFor()
  await pair.getByRole('article', { name: 'Larkspur Notes: write, Google Play' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await pair.getByRole('button', { name: 'Track both' }).click()
  await page.getByRole('button', { name: 'Track in 1 storefront' }).click()
  await page.getByRole('link', { name: 'View in App Store' }).waitFor()
  await page.getByRole('button', { name: 'Show events in the inbox' }).click()
  await page.getByText(/^New reviews and rating drops of Larkspur Notes/).waitFor()
  const [inbox] = await running.service.storage.hooks.list(ann.accountId)
  assert.deepEqual([...new Set(inbox?.watches.map(({ appId }) => appId))].sort(), [
    NOTES.appId,
    listing.appId,
  ])

  await page.goto('/apps')
  const group = page.getByRole('region', { name: /in both stores$/ })
  await group.waitFor()
  assert.equal(await group.getByRole('article').count(), 2)
  await page.getByRole('article', { name: RUNS.name }).waitFor()
  assert.equal(await group.getByRole('article', { name: RUNS.name }).count(), 0)
  assert.deepEqual(await findings(page), [])
  await page.getByRole('switch', { name: 'Group both stores' }).uncheck({ force: true })
  await group.waitFor({ state: 'detached' })
  await page.waitForURL(/grouped=false/)
  assert.equal(await page.getByRole('article').count(), 3)
  assert.deepEqual(visitor.errors, [])
})
