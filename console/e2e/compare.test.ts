import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES_FOR_ANDROID, startComparedApps } from './support/compared-apps.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const APPLE = `${NOTES.store}/${NOTES.appId}`
const GOOGLE = `${NOTES_FOR_ANDROID.store}/${NOTES_FOR_ANDROID.appId}`
const VERSIONS = `/compare?app1=${APPLE}&version1=2.0&period1=365d&app2=${APPLE}&version2=1.9&period2=365d`
const PERIODS = `/compare?app1=${APPLE}&period1=30d&app2=${APPLE}&period2=30d-before`

/** The texts of a row's cells, by the name of the row. */
async function cellsOf(page: Page, name: string): Promise<string[]> {
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const texts = await row.getByRole('cell').allInnerTexts()
  return texts.map((text) => text.replace(/\s+/g, ' ').trim())
}

async function assertCells(page: Page, name: string, expected: readonly string[]): Promise<void> {
  let cells: string[] = []
  await until(
    `${name} shows its figures`,
    async () => {
      cells = await cellsOf(page, name)
      return JSON.stringify(cells) === JSON.stringify(expected)
    },
    10_000,
  ).catch(() => assert.deepEqual(cells, expected))
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const headers = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0]?.trim())

test('two versions are compared in words, and each figure opens its reviews', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(VERSIONS)
  await assertCells(page, 'Reviews', ['4', '2 50% fewer'])
  assert.deepEqual(await headers(page), ['Figure', 'Larkspur Notes 2.0', 'Larkspur Notes 1.9'])
  await assertCells(page, 'Reviews per day', ['0.44 over 9 days', '0.07 over 29 days 84% fewer'])
  await assertCells(page, 'Average stars', ['1.75 ★', '4.50 ★ 2.75 higher'])
  await assertCells(page, '1 star', ['75.0% 3', '0% 0 75.0 points lower'])
  await assertCells(page, '2 stars', ['0% 0', '0% 0 no difference'])
  await assertCells(page, 'Crashes', ['75.0% 3', '0% 0 75.0 points lower'])
  await assertCells(page, 'Dark mode', ['25.0% 1', '50.0% 1 25.0 points higher'])
  await assertCells(page, 'Feature requests', ['25.0% 1', '50.0% 1 25.0 points higher'])
  assert.deepEqual(await findings(page), [])

  for (const [name, count] of [
    ['Reviews', 4],
    ['1 star', 3],
    ['Crashes', 3],
    ['Dark mode', 1],
  ] as const) {
    await page.goto(VERSIONS)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    await row.getByRole('cell').first().getByRole('link').click()
    await page.waitForURL(/\/reviews\?.*app_version=2\.0/)
    await page.getByRole('article').first().waitFor()
    await until(`${name} opens its reviews`, async () => (await page.getByRole('article').count()) === count)
  }
  assert.deepEqual(visitor.errors, [])
})

test('columns are added, changed, made the base and removed, and the back button undoes it', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(PERIODS)
  await assertCells(page, 'Reviews', ['5', '1 80% fewer'])
  await page.getByRole('button', { name: 'Make base: column 2' }).click()
  await assertCells(page, 'Reviews', ['1', '5 400% more'])

  await page.getByRole('button', { name: 'Add a column' }).click()
  await assertCells(page, 'Reviews', ['1', '5 400% more', '5 400% more'])
  await choose(page, 'App of column 3', 'Larkspur Notes (both stores)')
  await assertCells(page, 'Reviews', ['1', '5 400% more', '7 600% more'])
  await choose(page, 'Period of column 3', 'Since 2.0')
  await assertCells(page, 'Reviews', ['1', '5 400% more', '6 500% more'])
  await choose(page, 'Version of column 3', '3.1')
  await assertCells(page, 'Reviews', ['1', '5 400% more', '2 100% more'])
  await choose(page, 'Storefront of column 3', 'Germany')
  await assertCells(page, 'Reviews', [
    '1',
    '5 400% more',
    '0 100% fewer No reviews of version 3.1 in this period.',
  ])
  await assertCells(page, 'Average stars', ['5.00 ★', '2.20 ★ 2.80 lower', '–'])
  assert.match(page.url(), /country3=de/)
  await page.reload()
  await page.getByText('No reviews of version 3.1').waitFor()

  await page.goBack()
  await assertCells(page, 'Reviews', ['1', '5 400% more', '2 100% more'])
  await page.getByRole('button', { name: 'Add a column' }).click()
  await page.getByRole('button', { name: 'Remove column 4' }).waitFor()
  const add = page.getByRole('button', { name: 'Add a column' })
  assert.equal(await add.isDisabled(), true)
  const hasFocus = () => add.evaluate((button) => button === document.activeElement)
  assert.equal(await hasFocus(), true, 'the button that added the last column keeps the focus')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove column 2' }).click()
  await until('the removed button hands on its focus', hasFocus)
  await assertCells(page, 'Reviews', ['1', '2 100% more', '2 100% more'])
  await page.getByRole('button', { name: 'Remove column 3' }).click()
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Add a column')
  assert.deepEqual(visitor.errors, [])
})

test('both listings of an app are one column, with a link to the reviews of each store', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/compare?app1=${APPLE},${GOOGLE}&app2=all`)
  await assertCells(page, 'Reviews', ['7', '7 no difference'])
  await assertCells(page, 'Dark mode', ['42.8% 3', '42.8% 3 no difference'])
  await page.getByRole('link', { name: 'Reviews: reviews in Google Play' }).click()
  await page.waitForURL(/\/reviews\?store=google&app_id=com\.example\.larkspur/)
  await until('the reviews are shown', async () => (await page.getByRole('article').count()) === 2)
})

test('dates are part of the address, and a period that is no period says what to change', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(PERIODS)
  await choose(page, 'Period of column 2', 'Since and until…')
  await page.waitForURL(/since2=.*until2=/)
  await assertCells(page, 'Reviews', ['5', '1 80% fewer'])
  await page.getByRole('button', { name: 'Since of column 2', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Until of column 2', exact: true }).waitFor()
  for (const [dates, problem] of [
    ['since2=2026-02-01T00:00:00Z&until2=2026-01-01T00:00:00Z', 'The period ends before it starts.'],
    ['since2=2024-01-01T00:00:00Z&until2=2026-01-01T00:00:00Z', 'The period is longer than 366 days.'],
    ['release2=9.9', 'This version is not among the 50 with the most reviews in the last year.'],
  ] as const) {
    await page.goto(`/compare?app1=${APPLE}&app2=${APPLE}&${dates}`)
    await page.getByRole('alert').filter({ hasText: problem }).waitFor()
    await until('the first column is shown', async () => (await cellsOf(page, 'Reviews'))[0] === '5')
  }
})

test('a column that fails is tried again by itself, while the others stay', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const isSecond = ({ pathname, searchParams }: URL) =>
    pathname === '/api/v1/stats' && searchParams.get('app_version') === '1.9'
  await page.route(isSecond, (route) =>
    route.fulfill({ status: 400, json: { error: 'Statistics have a break.' } }),
  )
  await page.goto(VERSIONS)
  const failed = page.getByRole('alert').filter({ hasText: 'Statistics have a break.' })
  await failed.waitFor()
  await until('the first column is shown', async () => (await cellsOf(page, 'Average stars'))[0] === '1.75 ★')
  assert.deepEqual(await findings(page), [])
  await page.unroute(isSecond)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await assertCells(page, 'Average stars', ['1.75 ★', '4.50 ★ 2.75 higher'])
})

test('a column that loads leaves the others and the rows in their places', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const answered = Promise.withResolvers<void>()
  await page.route(
    ({ pathname, searchParams }) => pathname === '/api/v1/stats' && searchParams.get('app_version') === '1.9',
    async (route) => {
      await answered.promise
      await route.continue()
    },
  )
  await page.goto(VERSIONS)
  await until('the first column is shown', async () => (await cellsOf(page, 'Average stars'))[0] === '1.75 ★')
  const places = () =>
    page
      .getByRole('rowheader')
      .evaluateAll((headers) =>
        headers.slice(0, 16).map((header) => [header.textContent, header.getBoundingClientRect().top]),
      )
  const before = await places()
  answered.resolve()
  await assertCells(page, 'Average stars', ['1.75 ★', '4.50 ★ 2.75 higher'])
  assert.deepEqual(await places(), before)
})

test('on a phone the columns scroll below the row names, and the page does not', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann, {
    width: 390,
    height: 844,
    colorScheme: 'dark',
  })
  const { page } = visitor
  await page.goto(VERSIONS)
  await assertCells(page, 'Average stars', ['1.75 ★', '4.50 ★ 2.75 higher'])
  const name = page.getByRole('rowheader', { name: 'Average stars' })
  const before = await name.boundingBox()
  await page.getByRole('group', { name: 'Comparison' }).evaluate((region) => region.scrollTo({ left: 200 }))
  assert.deepEqual(await name.boundingBox(), before)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  assert.deepEqual(await findings(page), [])
})

test('without an app the page offers to add one, and with one it offers comparisons', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/compare')
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Add an app' }).waitFor()
  await seeded.ann.fetchJson('PUT', `/v1/tracked-apps/${APPLE}`, { countries: ['us'] })
  await page.reload()
  await page.getByRole('link', { name: 'Newest version with the one before: Larkspur Notes' }).click()
  const problem = page.getByText('No review of the last year names a version. Clear the version')
  await problem.nth(1).waitFor()
  assert.equal(
    await page.getByRole('combobox', { name: 'Version of column 1' }).inputValue(),
    'Newest version',
  )
  await page.getByRole('button', { name: 'Clear version of column 1' }).click()
  await page.getByRole('button', { name: 'Clear version of column 2' }).click()
  await problem.first().waitFor({ state: 'detached' })
  await assertCells(page, 'Reviews', [
    '0 No reviews. Choose another period, storefront or version.',
    '0 no difference No reviews. Choose another period, storefront or version.',
  ])
})

test('each store has its own newest version, and one language of Google Play is one market', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/compare')
  await page
    .getByRole('link', { name: 'Newest version with the one before (Google Play): Larkspur Notes' })
    .waitFor()
  await page
    .getByRole('link', { name: 'Newest version with the one before (App Store): Larkspur Notes' })
    .click()
  await page.waitForURL(/app1=apple[^,&]*&version1=2\.0&.*version2=1\.9/)

  await page.goto(`/compare?app1=${GOOGLE}&country1=gb&app2=${APPLE}&country2=gb`)
  await assertCells(page, 'Storefront', ['From Google Play: all reviews in English', ''])
  assert.equal(
    await page.getByRole('combobox', { name: 'Storefront of column 1' }).inputValue(),
    'United Kingdom (English)',
  )
  assert.equal(
    await page.getByRole('combobox', { name: 'Storefront of column 2' }).inputValue(),
    'United Kingdom',
  )
  await page.getByRole('columnheader', { name: 'Google Play, United Kingdom (English)' }).waitFor()
  assert.deepEqual(await findings(page), [])
})

test('a period ends when the page loaded its figures, and later for a reader who comes back', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const ends: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/stats') ends.push(searchParams.get('until') ?? '')
  })
  const openedAt = Date.now()
  await page.goto(`/compare?app1=${APPLE}&app2=${APPLE}`)
  await assertCells(page, 'Reviews', ['5', '5 no difference'])
  assert.equal(ends.length, 1, 'equal columns are loaded once')
  assert.ok(Date.parse(ends[0] ?? '') >= openedAt && Date.parse(ends[0] ?? '') <= Date.now())
  publish(seeded.running, { ...NOTES, market: 'us' }, { rating: 1 })
  await until('the new review is collected', async () => {
    const { data } = await seeded.ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return data.length === 9
  })
  const later = Date.now() + 3_600_000
  await page.clock.setFixedTime(later)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await assertCells(page, 'Reviews', ['6', '6 no difference'])
  assert.deepEqual(
    ends.slice(1).map((end) => Date.parse(end)),
    [later],
  )
})

test('the pages of an app and of all apps and the palette lead to comparisons', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/apps/${APPLE}?days=7`)
  await page.getByRole('button', { name: 'Compare with…' }).click()
  await page.getByRole('menuitem', { name: 'App Store with Google Play' }).click()
  await assertCells(page, 'Reviews', ['3', '2 33% fewer'])
  await page.goBack()
  await page.getByRole('button', { name: 'Compare with…' }).click()
  await page.getByRole('menuitem', { name: 'Last 7 days with the 7 days before' }).click()
  await assertCells(page, 'Reviews', ['3', '2 33% fewer'])
  assert.match(page.url(), /period1=7d&.*period2=7d-before/)

  await page.goto('/apps')
  await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Go to' }).fill('compare')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
})

test('a comparison is made with the keyboard alone', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(PERIODS)
  await assertCells(page, 'Reviews', ['5', '1 80% fewer'])
  await page.getByRole('combobox', { name: 'Version of column 2' }).focus()
  await page.keyboard.type('2.0')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/version2=2\.0/)
  await page.getByText('No reviews of version 2.0 in this period.').waitFor()
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    'Version of column 2',
  )
})

test('apps as a table are sorted by a column, in the address, and the selected ones are compared', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/apps')
  await page.getByText('Table', { exact: true }).click()
  const table = page.getByRole('table')
  await table.getByRole('columnheader', { name: 'Reviews in 7 days' }).getByRole('button').click()
  await page.waitForURL(/layout=table&sort=-reviews/)
  await page.reload()
  assert.equal(
    await table.getByRole('columnheader', { name: 'Reviews in 7 days' }).getAttribute('aria-sort'),
    'descending',
  )
  const counts = (await table.getByRole('row').allInnerTexts())
    .slice(1)
    .map((text) => Number(text.split('\t')[4]))
  assert.ok(counts.length > 1)
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  )
  await page.getByRole('checkbox', { name: 'Select Larkspur Notes (App Store)' }).check()
  assert.equal(await page.getByRole('link', { name: /^Compare \d/ }).count(), 0, 'one app is not compared')
  await page.getByRole('checkbox', { name: 'Select Larkspur Notes (Google Play)' }).check()
  await page.getByRole('link', { name: 'Compare 2 apps' }).click()
  await assertCells(page, 'Reviews', ['5', '2 60% fewer'])
  assert.deepEqual(visitor.errors, [])
})

test('a column of an app that is not tracked says so, and the others are shown', async () => {
  await using seeded = await startComparedApps()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/compare?app1=${APPLE}&app2=apple/999&version2=1.0`)
  await page.getByText('The account does not track this app. Choose another one.').waitFor()
  await until('the first column is shown', async () => (await cellsOf(page, 'Reviews'))[0] === '5')
})
