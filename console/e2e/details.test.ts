import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import { publish, publishOld } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, openDestination, startSeededConsole } from './support/seeded-console.ts'

test('a feed that was never checked is due now, not in 1970', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const path = `/apps/${NOTES.store}/${NOTES.appId}`
  await ann.fetchJson('PUT', `/v1/tracked-${path.slice(1)}`, { countries: [...STOREFRONTS] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  // The feeds of a new app are due since the epoch while they are queued.
  await page.route(`**/api/console${path}?*`, async (route) => {
    const response = await route.fetch()
    const body: AppPage = await response.json()
    const feeds = body.feeds.map((feed) => ({ ...feed, nextPollAt: new Date(0).toISOString() }))
    await route.fulfill({ response, json: { ...body, feeds } })
  })
  await page.goto(`${path}/feeds`)
  const feeds = page.getByRole('region', { name: 'Feeds' })
  await feeds.getByText('Due now').first().waitFor()
  assert.equal(await feeds.getByText('1970').count(), 0)
})

test('an app card names the storefront of its rating and keeps its height as time passes', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() - 5_000) })
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us', 'de'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/apps')
  const card = page.getByRole('article', { name: NOTES.name })
  await card.getByText(/^Last review/).waitFor()
  await card.getByText(/4\.50.*United States/).waitFor()
  const before = await card.boundingBox()
  await page.clock.setFixedTime(Date.now() + 47 * 60_000)
  await page.goto('/apps')
  await card.getByText('47 minutes ago').waitFor()
  assert.equal((await card.boundingBox())?.height, before?.height)
})

test("a notice shows its time in the viewer's time zone", async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver, ann } = seeded
  receiver.answerWith(500)
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  for (let count = 0; count < 5; count += 1) {
    publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  }
  await until('the breaker is open', async () => {
    const { notices } = await ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
    return notices.some(({ kind }) => kind === 'breaker_opened')
  })
  const notices = page.getByRole('region', { name: 'Notices' })
  await notices.getByText('Paused after failures').waitFor()
  assert.doesNotMatch((await notices.textContent()) ?? '', /\d{4}-\d\d-\d\dT/)
  await page.getByText(/^Paused after repeated failures\. Next attempt in/).waitFor()
  await page.goto('/')
  const paused = notices.getByRole('listitem').filter({ hasText: 'Paused after failures' })
  await paused.getByRole('link', { name: receiver.url }).click()
  await page.waitForURL(`**/destinations/${id}`)
})

test('on a narrow screen, one button opens the filters of deliveries', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 360, height: 740 })
  const { page } = visitor
  await page.goto('/deliveries?status=pending')
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  const drawer = page.getByRole('dialog', { name: 'Filters' })
  await drawer.getByRole('combobox', { name: 'State' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await drawer.getByRole('button', { name: 'Show deliveries' }).click()
  await drawer.waitFor({ state: 'detached' })
})

test('badges in a table are never cut off', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver, ann } = seeded
  receiver.answerWith(500)
  await using visitor = await openAs(running, ann, { width: 768, height: 900 })
  const { page } = visitor
  const { id } = await seeded.newDestination()
  for (let count = 0; count < 5; count += 1) {
    publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  }
  await until('the destination is suspended', async () => {
    const { health } = await ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
    return health.breakerOpenUntil !== null
  })
  await page.goto('/destinations')
  const badge = page.getByRole('table').getByText('Paused after failures')
  await badge.waitFor()
  const isCut = await badge.evaluate((element) => element.scrollWidth > element.clientWidth)
  assert.equal(isCut, false)
})

test('the close button of a dialog has an accessible name', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the handles of the Stars field do not cover its label', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/destinations/new')
  await page.getByRole('slider').first().focus()
  await page.getByRole('slider').first().hover()
  const label = await page.getByText('Stars', { exact: true }).boundingBox()
  const covered = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x ?? 0, y ?? 0)?.textContent,
    [(label?.x ?? 0) + 12, (label?.y ?? 0) + (label?.height ?? 0) - 2],
  )
  assert.equal(covered, 'Stars')
  assert.equal(await page.locator('.mantine-RangeSlider-label, .mantine-Slider-label').count(), 0)
})

test('the filters of a list have visible labels', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  for (const [path, labels] of [
    ['/deliveries', ['State', 'Destination', 'App', 'Event type', 'Reason', 'Since']],
    ['/dead-letters', ['Destination', 'App', 'Event type', 'Reason', 'Since']],
  ] as const) {
    await page.goto(path)
    const bar = page.getByRole('search')
    for (const label of labels) await bar.locator('label', { hasText: label }).first().waitFor()
  }
})

test('deliveries are filtered by a time from the date picker', async () => {
  await using seeded = await startSeededConsole()
  const { running, receiver } = seeded
  await using visitor = await openDestination(seeded)
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  await receiver.received(1)
  const { page } = visitor
  await page.goto('/deliveries')
  await page.getByRole('link', { name: /^Title/ }).waitFor()
  await page.getByRole('button', { name: 'Since' }).click()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  await until('the URL has the time', () => /\?since=\d{4}-/.test(page.url()))
  await page.getByRole('link', { name: /^Title/ }).waitFor()
  await page.goto(`/deliveries?since=${new Date(Date.now() + 3_600_000).toISOString()}`)
  await page.getByText('No deliveries match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear since' }).click()
  await page.getByRole('link', { name: /^Title/ }).waitFor()
})

test('without dead letters there is nothing to export or replay', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/dead-letters')
  await page.getByRole('heading', { name: 'No dead letters' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Export' }).isDisabled(), true)
  assert.equal(await page.getByRole('link', { name: 'Export' }).count(), 0)
})

test('the system page names the app of each feed', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  publishOld(running, { ...NOTES, market: 'us' }, 1)
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/system/feeds')
  const row = page.getByRole('region', { name: 'Feeds' }).getByRole('row').filter({ hasText: NOTES.name })
  await row.first().waitFor()
  assert.equal(await page.getByText(NOTES.appId).count(), 0)
})

test('a table that overflows a narrow screen can be focused', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 360, height: 740 })
  const { page } = visitor
  await page.goto('/system/nodes')
  const table = page.getByRole('group', { name: 'Nodes' })
  await table.waitFor()
  await until('the table can be focused', async () => (await table.getAttribute('tabindex')) === '0')
  await page.setViewportSize({ width: 1440, height: 900 })
  await until('the table fits', async () => (await table.getAttribute('tabindex')) === null)
})
