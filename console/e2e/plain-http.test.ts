import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { publish } from '../../test/support/publish.ts'
import { openBrowser, PLAIN_HOST, visit } from './support/browser.ts'
import { enterAs, NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

/** The console without TLS, at the address of another machine. */

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('values are copied at a plain http URL, also from a dialog', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  receiver.answerWith(500)
  await seeded.newDestination()
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  const url = new URL(running.url)
  url.hostname = PLAIN_HOST
  await using browser = await openBrowser()
  await using visitor = await visit(browser, url.href)
  await enterAs(visitor, { ...running, url: url.href }, ann)
  const { page } = visitor
  const paste = async () => {
    const field = page.getByLabel('Token name')
    await field.fill('')
    await field.press('Control+V')
    return field.inputValue()
  }

  await page.goto('/dead-letters')
  await page
    .getByRole('link', { name: /^Title/ })
    .first()
    .click()
  const copyCurl = page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' })
  await copyCurl.click()
  await page.getByText('Copied').waitFor()
  assert.equal(await copyCurl.evaluate((button) => button === document.activeElement), true)

  await page.goto('/account/tokens')
  assert.equal(await page.evaluate(() => 'clipboard' in navigator), false)
  assert.match(await paste(), /^curl -sS 'http:\/\/127\.0\.0\.1/)
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByLabel('Token name').fill('reports')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const value = await tokens.getByRole('alert').locator('code').textContent()
  await tokens.getByRole('button', { name: 'Copy API token' }).click()
  assert.equal(await paste(), value)
  // Browsers say at every page without TLS that they ignore its opener policy.
  assert.deepEqual(
    visitor.errors.filter((error) => !error.startsWith('The Cross-Origin-Opener-Policy header')),
    [],
  )
})

test('a hidden page has no stream, and shows the changes when it is visible again', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const isStream = (request: { url: () => string }) => request.url().includes('/api/console/stream')
  const opened = page.waitForRequest(isStream)
  await page.goto('/destinations')
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  await opened
  const ended = page.waitForEvent('requestfailed', isStream)
  await setHidden(page, true)
  await ended
  await seeded.newDestination()
  const openedAgain = page.waitForRequest(isStream)
  await setHidden(page, false)
  await openedAgain
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})
