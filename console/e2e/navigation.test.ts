import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishOld } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { chooseFilter } from './support/filters.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('an unknown URL keeps the navigation and links to the overview', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/nope')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Apps' }).waitFor()
  await page.getByRole('link', { name: 'Go to the overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a missing app, review, delivery or destination links to its list and offers no retry', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  for (const [path, list] of [
    ['/apps/apple/999999999', 'Apps'],
    [`/reviews/${'0'.repeat(64)}`, 'Reviews'],
    [`/deliveries/${'0'.repeat(64)}`, 'Deliveries'],
    ['/destinations/hook-0', 'Destinations'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: /not found$/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Back to/ })
      .click()
    await page.getByRole('heading', { level: 1, name: list, exact: true }).waitFor()
  }
})

test('an unknown filter value is ignored and removed from the URL', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  publishOld(running, { ...NOTES, market: 'us' }, 1)
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews?sentiment=banana&storefront=us')
  await page.getByRole('article').first().waitFor()
  await until('the URL has only known filters', () => page.url().endsWith('/reviews?country=us'))
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('an old link to waiting deliveries shows the pending ones', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/deliveries?status=waiting')
  await page.getByText('No deliveries match these filters').waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'State' }).inputValue(), 'Pending')
  assert.match(page.url(), /\?status=pending$/)
})

test('filters are plain words in the URL and survive a reload', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await chooseFilter(page, 'Stars', '1 and 2 stars')
  await until('the URL has the filter', () => page.url().endsWith('/reviews?stars=1,2'))
  await page.reload()
  await page.getByText('No reviews match these filters').waitFor()
  await page.getByRole('button', { name: 'Stars 1 and 2 stars' }).waitFor()
})

test('the focus moves from the navigation to the page', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/apps')
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
  await page.getByRole('link', { name: 'Destinations' }).click()
  await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  await page.keyboard.press('Tab')
  assert.equal(
    await page.evaluate(() => document.getElementById('main')?.contains(document.activeElement)),
    true,
  )
})

test('the header fits on a narrow screen', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 360, height: 740 })
  const { page } = visitor
  await page.goto('/apps')
  const menu = page.getByRole('button', { name: "Ann's, signed in as Ann" })
  const box = await menu.boundingBox()
  assert.ok(box !== null && box.x + box.width <= 344, JSON.stringify(box))
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
})

test('the first steps lead to the tokens of the account', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/getting-started')
  for (const nth of [0, 1]) {
    await page.getByRole('link', { name: 'account page' }).nth(nth).click()
    await page.getByRole('region', { name: 'API tokens' }).waitFor()
    await page.goBack()
  }
  assert.deepEqual(visitor.errors, [])
})
