import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { publishOld } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { NOTES, openAs, openDestination, startSeededConsole } from './support/seeded-console.ts'

/** Pages during and after an outage of the service. */

/** Answers all further requests to these URLs with 502, as a proxy does without a service. */
async function failRequests(page: Page, urls: string): Promise<{ count: number }> {
  const seen = { count: 0 }
  await page.route(urls, (route) => {
    seen.count += 1
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
  })
  return seen
}

test('a console opened while the service is down loads after a retry', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await failRequests(page, '**/api/console/session')
  await page.goto('/apps')
  await page.getByText('The server answered HTTP 502.').waitFor()
  await page.unroute('**/api/console/session')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
})

test('an ended session leads to the sign-in page and back', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  // An open stream would reload the page, and that request could get the 401 first.
  await failRequests(page, '**/api/console/stream?*')
  await page.goto('/apps')
  await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
  await visitor.context.clearCookies()
  await page.getByRole('link', { name: 'Dead letters' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Dead letters', level: 1 }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a page catches up on changes once the stream is back', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const failed = await failRequests(page, '**/api/console/stream?*')
  await page.goto('/destinations')
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  await until('the stream failed', () => failed.count > 0)
  await ann.fetchJson('POST', '/destinations', { target_url: 'https://example.com/hook' })
  assert.equal(await page.getByText('https://example.com/hook').count(), 0)
  await page.unroute('**/api/console/stream?*')
  await page.getByRole('row').filter({ hasText: 'https://example.com/hook' }).waitFor()
})

test('a page shows a change that happened after it loaded and before its stream opened', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const changed = Promise.withResolvers<void>()
  await page.route('**/api/console/stream?*', async (route) => {
    await changed.promise
    await route.continue()
  })
  await page.goto('/destinations')
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  await ann.fetchJson('POST', '/destinations', { target_url: 'https://example.com/hook' })
  changed.resolve()
  await page.getByRole('row').filter({ hasText: 'https://example.com/hook' }).waitFor()
})

test('a failed page of reviews is retried on request, not in a loop', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  publishOld(running, { ...NOTES, market: 'us' }, 60)
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  // Wait for enrichment too: each batch makes the page reload.
  await until('all reviews are found', async () => {
    const { text } = await ann.request('GET', '/v1/exports/reviews?format=jsonl')
    const lines = text.trimEnd().split('\n')
    return lines.length === 60 && lines.every((line) => line.includes('"sentiment":"'))
  })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const failed = await failRequests(page, '**/api/v1/reviews?*cursor=*')
  await page.goto('/reviews')
  await page.getByRole('article').first().waitFor()
  const again = page.getByRole('button', { name: 'Try again' })
  await scrollUntilVisible(page, again)
  // The first request and two automatic retries.
  assert.equal(failed.count, 3)
  assert.equal(await page.getByRole('button', { name: 'Load more reviews' }).count(), 0)
  await page.unroute('**/api/v1/reviews?*cursor=*')
  await again.click()
  await scrollUntilVisible(page, page.getByText('End of list'))
})

/** Only the visible part of a long list is in the document, so its end appears while scrolling. */
async function scrollUntilVisible(page: Page, target: Locator): Promise<void> {
  await until('the end of the list is visible', async () => {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    return target.isVisible()
  })
}

test('a page keeps its content and its input while a refresh fails', async () => {
  await using seeded = await startSeededConsole()
  const { ann } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  await page.getByLabel('URL').fill('https://example.com/half-typed')
  await failRequests(page, `**/api/console/destinations/${id}`)
  await ann.fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'paused' })
  await page.getByRole('alert').filter({ hasText: 'The server answered HTTP 502.' }).waitFor()
  assert.equal(await page.getByLabel('URL').inputValue(), 'https://example.com/half-typed')
  await page.unroute(`**/api/console/destinations/${id}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('URL').inputValue(), 'https://example.com/half-typed')
})

test('a page that throws shows a sentence, a way back and the details, inside the console', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.route('**/api/v1/audit-log', (route) =>
    route.fulfill({ json: { data: [{ id: 1, at: 'no time', actor: null }], next_cursor: null } }),
  )
  await page.goto('/audit-log')
  const alert = page.getByRole('alert')
  await alert.getByText('Something went wrong').waitFor()
  await alert.getByRole('button', { name: 'Copy details' }).click()
  const details = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(details, /^\/audit-log\nMozilla.*\n\w*Error: /)
  assert.ok(
    await page.getByRole('link', { name: 'Destinations' }).isVisible(),
    'the navigation is still there',
  )
  await alert.getByRole('link', { name: 'Go to the overview' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
})
