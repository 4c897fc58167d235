import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openDestination, RUNS, startSeededConsole } from './support/seeded-console.ts'

test('a subscription is changed from several apps to all apps, and then covers an app that is added later', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  const list = page.getByRole('region', { name: 'Subscriptions' })
  await page.getByRole('button', { name: /^Remove / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await list.getByText('No subscriptions yet').waitFor()

  await page.getByRole('button', { name: 'Add a subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Several apps' }).check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const apps = dialog.getByRole('combobox', { name: 'Apps' })
  await apps.and(page.locator('[aria-invalid=true]')).waitFor()
  await dialog.getByText('Choose at least one app.').waitFor()
  await apps.click()
  await page.getByRole('option', { name: /Larkspur Notes/ }).click()
  await dialog.getByText('Choose at least one app.').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await dialog.getByText('New reviews of Larkspur Notes.').waitFor()
  assert.deepEqual(await findings(page), [])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await list.getByText('New reviews of Larkspur Notes.').waitFor()

  await list.getByRole('button', { name: /^Edit / }).click()
  await dialog.getByRole('radio', { name: 'All apps' }).check()
  await dialog.getByText('Includes apps that you add later').waitFor()
  await dialog.getByText('New reviews of all apps.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText('New reviews of all apps.').waitFor()

  await ann.fetchJson('PUT', `/v1/tracked-apps/${RUNS.store}/${RUNS.appId}`, { countries: ['us'] })
  publish(running, { ...RUNS, market: 'en' }, { publishedAt: new Date(Date.now() + 2_000) })
  const [event] = await receiver.received(1)
  assert.equal(JSON.parse(String(event?.body)).app_id, RUNS.appId)
  await page.goto('/destinations')
  await page.getByText('New reviews of all apps.').waitFor()
  const stored = await running.service.storage.hooks.get(ann.accountId, id)
  assert.deepEqual(
    stored?.watchSets.map(({ apps }) => apps),
    [null],
  )

  await page.goto(`/destinations/${id}`)
  await list.getByRole('button', { name: /^Edit / }).click()
  await dialog.getByRole('radio', { name: 'One app' }).check()
  await dialog.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: /Kestrel Runs/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText(/^New reviews of Kestrel Runs/).waitFor()
  const after = await running.service.storage.hooks.get(ann.accountId, id)
  // The app that remains is covered since it was added.
  const kept = stored?.watches.find(({ appId }) => appId === RUNS.appId)
  assert.deepEqual([after?.watchSets, after?.watches], [[], [{ ...kept, setId: null }]])

  await list.getByRole('button', { name: /^Edit / }).click()
  await dialog.getByRole('radio', { name: 'All apps' }).check()
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/preview')) requests.push(request.method())
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText('New reviews of all apps.').waitFor()
  assert.deepEqual(requests, ['PUT'])
  const last = await running.service.storage.hooks.get(ann.accountId, id)
  assert.deepEqual(last?.watches.map(({ appId }) => appId).sort(), [NOTES.appId, RUNS.appId].sort())
  assert.deepEqual(last?.watches.find(({ id }) => id === kept?.id)?.createdAt, kept?.createdAt)
  assert.deepEqual(visitor.errors, [])
})

test('the first subscription of a new destination can cover all apps', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.goto('/destinations/new')
  await page.getByLabel('URL').fill('https://example.com/radar')
  await page.getByRole('radio', { name: 'All apps' }).check()
  await page.getByText('Rating drops', { exact: true }).click()
  await page.getByLabel('Falls by at least').fill('0.2')
  await page.getByText('When the rating of any app falls by 0.2 or more.').waitFor()
  await page.getByRole('combobox', { name: 'Within' }).click()
  await page.getByRole('option', { name: '7 days', exact: true }).click()
  await page.getByText('When the rating of any app falls by 0.2 or more within 7 days.').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Add destination' }).click()
  await page.getByText('Copy the signing secret now').waitFor()
  const [, hook] = await running.service.storage.hooks.list(ann.accountId)
  assert.deepEqual(
    hook?.watchSets.map(({ apps, deltaMicros, deltaWindowHours }) => [apps, deltaMicros, deltaWindowHours]),
    [[null, 200_000, 168]],
  )
})

test('a subscription filters reviews by keywords, versions, storefronts and competitors', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  const list = page.getByRole('region', { name: 'Subscriptions' })
  await list.getByRole('button', { name: /^Edit / }).click()
  const dialog = page.getByRole('dialog')
  const enter = async (label: string, ...values: string[]) => {
    const field = dialog.getByLabel(label, { exact: true })
    for (const value of values) {
      await field.fill(value)
      await field.press('Enter')
    }
  }
  await enter('Keywords', 'refund', 'cannot log in')
  await enter('Excluded keywords', 'joke')
  await enter('Versions', '4.2.*')
  await enter('Competitors', 'Acme')
  await dialog.getByRole('combobox', { name: 'Storefronts' }).click()
  await page.getByRole('option', { name: 'Germany' }).click()
  await page.getByRole('option', { name: 'France' }).click()
  await page.keyboard.press('Escape')
  const sentence =
    /in France and Germany, that contain “cannot log in” or “refund”, without “joke”, of version 4\.2\.\*, that mention Acme\./
  await dialog.getByText(sentence).waitFor()
  assert.deepEqual(await findings(page), [])
  await enter('Versions', '4.*.1')
  await dialog.getByText(/Must|May have \* only at the end/).waitFor()
  await dialog.getByLabel('Versions', { exact: true }).press('Backspace')
  await dialog.getByText(sentence).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await list.getByText(sentence).waitFor()
  const stored = await running.service.storage.hooks.get(ann.accountId, id)
  assert.deepEqual(stored?.watches[0]?.storefronts, ['fr', 'de'])
  assert.deepEqual(stored?.watches[0]?.rules, {
    keywords: ['cannot log in', 'refund'],
    excludedKeywords: ['joke'],
    appVersions: ['4.2.*'],
    competitors: ['Acme'],
  })
  assert.deepEqual(visitor.errors, [])
})

test('the preview of a rating rule counts its events of the last 90 days', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const path = `/apps/${NOTES.store}/${NOTES.appId}`
  await ann.fetchJson('PUT', `/v1/tracked-${path.slice(1)}`, { countries: ['us'] })
  for (const [index, average] of ['4.5', '4.4', '4.3'].entries()) {
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
  await dialog.getByText('Rating drops', { exact: true }).click()
  await dialog.getByLabel('Falls by at least').fill('0.2')
  await dialog.getByText('It would have sent 0 events in the last 90 days.').waitFor()
  await dialog.getByRole('combobox', { name: 'Within' }).click()
  await page.getByRole('option', { name: '24 hours', exact: true }).click()
  await dialog.getByText('It would have sent 1 event in the last 90 days.').waitFor()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/falls by 0\.2 or more within 24 hours\.$/).waitFor()
  assert.deepEqual(visitor.errors, [])
})
