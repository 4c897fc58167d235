import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { AppPage } from '../../src/contract/console/apps.ts'
import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const DAY_MS = 24 * 3_600_000
const PATH = `/apps/${NOTES.store}/${NOTES.appId}`
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

/** Replaces the app's ratings in the response. */
async function withRatings(
  page: Page,
  history: AppPage['ratingHistory'],
  drops: AppPage['drops'] = [],
): Promise<void> {
  await page.route(`**/api/console${PATH}?*`, async (route) => {
    const response = await route.fetch()
    const body: AppPage = await response.json()
    await route.fulfill({ response, json: { ...body, ratingHistory: history, drops } })
  })
}

const point = (days: number, rating: number) => ({ at: daysAgo(days), rating, count: 100 })

test('the rating chart is in proportion to time and marks a drop', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const points = [point(300, 4.5), point(299, 4.6), point(100, 4.3)]
  const drop = { storefront: 'us', at: points[2]?.at ?? '', before: 4.6, now: 4.3 } as const
  await withRatings(page, [{ storefront: 'us', points }], [drop])
  await page.goto(`${PATH}/ratings?days=365`)
  const chart = page.getByRole('region', { name: 'Average rating' })
  const line = await chart.locator('path[fill=none]').getAttribute('d')
  const [, start = 0, second = 0, third = 0, end = 0] =
    /^M([\d.]+) [\d.]+H([\d.]+)V[\d.]+H([\d.]+)V[\d.]+H([\d.]+)$/.exec(line ?? '')?.map(Number) ?? []
  assert.ok(Math.abs((third - second) / (second - start) - 199) < 2, `${line}`)
  assert.ok(Math.abs((end - third) / (third - second) - 100 / 199) < 0.02, `${line}`)
  assert.equal(await chart.locator('.chart-drop').count(), 1)
  await chart.getByText(/United States fell from 4\.60 to 4\.30/).waitFor()

  const cursor = page.getByRole('slider', { name: 'Average rating by storefront' })
  await cursor.focus()
  await page.keyboard.press('Home')
  assert.match((await cursor.getAttribute('aria-valuetext')) ?? '', /: United States 4\.50$/)
  await page.keyboard.press('ArrowRight')
  assert.match((await cursor.getAttribute('aria-valuetext')) ?? '', /: United States 4\.60$/)
  assert.deepEqual(visitor.errors, [])
})

test('the rating chart shows the five storefronts with the most ratings, and others on click', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const history = STOREFRONTS.map((storefront, index) => ({
    storefront,
    points: [{ ...point(20, 4 + index / 100), count: index }],
  }))
  await withRatings(page, history)
  await page.goto(`${PATH}/ratings`)
  const chart = page.getByRole('region', { name: 'Average rating' })
  await until('five lines', async () => (await chart.locator('path[fill=none]').count()) === 5)
  const sweden = chart.getByRole('button', { name: 'Sweden' })
  assert.equal(await sweden.getAttribute('aria-pressed'), 'false')
  assert.equal(await chart.getByRole('button', { name: 'Italy' }).getAttribute('aria-pressed'), 'true')
  await sweden.click()
  await until('six lines', async () => (await chart.locator('path[fill=none]').count()) === 6)
})

test("reviews are counted by days of the viewer's time zone", async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const publishedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - DAY_MS)
  publish(running, { ...NOTES, market: 'us' }, { publishedAt })
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  // At any time, one of these zones has a date other than UTC.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await using visitor = await openAs(running, ann, { timeZone })
    const { page } = visitor
    await page.goto(`${PATH}/reviews?days=7`)
    const cursor = page.getByRole('slider', { name: 'Reviews per day by stars' })
    await cursor.focus()
    await page.keyboard.press('ArrowLeft')
    const day = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }).format(publishedAt)
    assert.equal(await cursor.getAttribute('aria-valuetext'), `${day}: 1 ★ 0, 2 ★ 0, 3 ★ 1, 4 ★ 0, 5 ★ 0`)
  }
})

test('an unknown time zone is rejected with an explanation', async () => {
  await using seeded = await startSeededConsole()
  const answer = await seeded.ann.request('GET', '/overview?zone=Mars/Olympus')
  assert.equal(answer.status, 400)
  assert.match(answer.text, /zone: a name of the IANA time zone database, such as Europe\/Berlin/)
})

test('the overview counts notable rating drops, with their time', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  const rated = async (average: string, count: number) => {
    running.world.setRating({ ...NOTES, storefront: 'us' }, { average, count })
    await until('the rating is shown', async () => {
      const { ratings } = (await ann.fetchJson<AppPage>('GET', PATH)).app
      return ratings[0]?.rating_count === count
    })
  }
  await rated('4.5', 1_001)
  await rated('4.48', 1_002)
  await rated('4.43', 1_003)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/')
  const drops = page.getByRole('region', { name: 'Rating drops' })
  await drops
    .getByText(/Larkspur Notes \(App Store\), United States fell from 4\.48 to 4\.43 · \d\d:\d\d/)
    .waitFor()
  assert.equal(await drops.getByRole('listitem').count(), 1)
  await page.getByRole('link', { name: /^Rating drops ?1/ }).waitFor()
})

test('charts of an app mark its releases and name them', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const releasedAt = new Date(Date.now() - 3 * DAY_MS)
  const listed = running.world.app(NOTES)
  assert.ok(listed)
  running.world.addApp({ ...listed, release: { version: '5.2.0', releasedAt } })
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: releasedAt })
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  await until('the release is known', async () => {
    const page = await ann.fetchJson<AppPage>('GET', PATH)
    return page.releases.length === 1 && Object.keys(page.days.at(-4)?.sentiments ?? {}).length === 1
  })
  await using visitor = await openAs(running, ann, { timeZone: 'UTC' })
  const { page } = visitor
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  for (const [section, region, slider] of [
    ['ratings', 'Average rating', 'Average rating by storefront'],
    ['reviews', 'Reviews per day', 'Reviews per day by stars'],
    ['reviews', 'Sentiment', 'Reviews per day by sentiment'],
  ] as const) {
    await page.goto(`${PATH}/${section}?days=7`)
    const chart = page.getByRole('region', { name: region, exact: true })
    await chart.getByText(`Releases: 5.2.0 on ${day.format(releasedAt)}`).waitFor()
    await until(
      'the release is drawn',
      async () => (await chart.locator('.chart-release line').count()) === 1,
    )
    const cursor = chart.getByRole('slider', { name: slider })
    await cursor.focus()
    await page.keyboard.press('Home')
    const texts: (string | null)[] = []
    for (let step = 0; step < 8; step += 1) {
      texts.push(await cursor.getAttribute('aria-valuetext'))
      await page.keyboard.press('ArrowRight')
    }
    const marked = new Set(texts.filter((text) => text?.includes(': Release 5.2.0')))
    assert.equal(marked.size, 1, texts.join('\n'))
  }
  assert.deepEqual(visitor.errors, [])
})
