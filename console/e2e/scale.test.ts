import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fillAccount } from '../../test/support/large-account.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const DESTINATIONS = 1_000
const REVIEWS = 100_000
const NODES_MAX = 2_000

/** Answers of the service while a page loads: how long each took, slowest first. */
async function slowest(page: Page, path: string, isLoaded: () => Promise<unknown>): Promise<string[]> {
  const took: { path: string; ms: number }[] = []
  const heard = (response: import('playwright-core').Response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/') || pathname.endsWith('/stream')) return
    const { requestStart, responseStart } = response.request().timing()
    took.push({ path: pathname, ms: Math.round(responseStart - requestStart) })
  }
  page.on('response', heard)
  await page.goto(path)
  await isLoaded()
  page.off('response', heard)
  return took.sort((one, other) => other.ms - one.ms).map(({ path: of, ms }) => `${of} ${ms} ms`)
}

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('#main *').length)

test('lists of an account with 1,000 destinations and 100,000 reviews stay small', async (t) => {
  await using seeded = await startSeededConsole()
  const count = { destinations: DESTINATIONS, reviews: REVIEWS }
  await fillAccount(seeded.running, seeded.ann.accountId, NOTES, count)
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  page.setDefaultTimeout(60_000)

  const ofDestinations = await slowest(page, '/destinations?sort=-pending', () =>
    page.getByRole('checkbox', { name: 'Select Team 0' }).waitFor(),
  )
  t.diagnostic(`destinations: ${ofDestinations.join(', ')}; ${await nodes(page)} nodes`)
  assert.ok((await nodes(page)) < NODES_MAX)
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), `${DESTINATIONS + 1}`)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByRole('checkbox', { name: `Select Team ${DESTINATIONS - 1}` }).waitFor()
  assert.ok((await nodes(page)) < NODES_MAX)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByText('1,000 selected').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('1,000 paused.').waitFor()

  const ofReviews = await slowest(page, '/reviews', () => page.getByRole('article').first().waitFor())
  for (let pages = 0; pages < 10; pages += 1) {
    const before = await page.evaluate(() => document.body.scrollHeight)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForFunction((height) => document.body.scrollHeight > height, before)
  }
  t.diagnostic(`reviews: ${ofReviews.join(', ')}; ${await nodes(page)} nodes after ten pages`)
  assert.ok((await nodes(page)) < NODES_MAX)
  for (const path of ['/', `/apps/${NOTES.store}/${NOTES.appId}`, '/deliveries']) {
    const answers = await slowest(page, path, () => page.waitForLoadState('networkidle').catch(() => null))
    t.diagnostic(`${path}: ${answers.join(', ')}; ${await nodes(page)} nodes`)
    assert.ok((await nodes(page)) < NODES_MAX)
  }
  assert.deepEqual(visitor.errors, [])
})
