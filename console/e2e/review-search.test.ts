import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startFeed, US } from './support/review-feed.ts'
import { openAs } from './support/seeded-console.ts'

async function startWithRequest() {
  const seeded = await startFeed()
  publish(seeded.running, US, { rating: 2, version: '2.1', body: 'Please add a dark mode, my eyes hurt.' })
  await until('the request is found', async () => {
    const { text } = await seeded.ann.request('GET', '/review-suggestions')
    return text.includes('"count":1') && text.includes('dark')
  })
  return seeded
}

test('typing suggests filters with their numbers, which arrow keys and Enter choose', async () => {
  await using seeded = await startWithRequest()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const search = page.getByRole('combobox', { name: 'Search in reviews' })
  await search.fill('dark')
  await page.getByRole('option', { name: 'Feature request: Dark mode (1)' }).waitFor()
  await page.getByRole('feed').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Feature Dark mode' }).waitFor()
  await until('the address has the feature alone', () =>
    /\/reviews\?feature_slug=dark[-_]mode$/.test(page.url()),
  )
  assert.equal(await search.inputValue(), '')
  await page.getByRole('status').getByText('1 review').waitFor()

  await search.fill('larkspur')
  await page.getByRole('option', { name: 'App: Larkspur Notes, App Store' }).click()
  await page.getByRole('button', { name: 'App Larkspur Notes' }).waitFor()
  await search.fill('2.0')
  await page.getByRole('option', { name: 'Version: 2.0 (1)' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  assert.equal(await search.inputValue(), '2.0')
  assert.deepEqual(visitor.errors, [])
})

test('the palette finds reviews, filters, destinations, events and settings', async () => {
  await using seeded = await startWithRequest()
  await seeded.newDestination()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/')
  const find = async (text: string, found: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Go to' }).fill(text)
    await page.getByRole('dialog').getByRole('button', { name: found }).click()
  }
  await find('every time', 'It crashes every time I open a note.')
  await page.getByRole('heading', { level: 1, name: 'Review of Larkspur Notes' }).waitFor()
  await find('dark', 'Feature request: Dark mode (1)')
  await until('the feed is filtered', () => /feature_slug=dark/.test(page.url()))
  await find('my eyes', 'Search reviews for “my eyes”')
  await until('the feed is searched', () => page.url().endsWith('?text=my+eyes'))
  const { origin, host } = new URL(seeded.receiver.url)
  await find(host, new RegExp(`^${origin}`))
  await until('the destination is shown', () => page.url().includes('/destinations/console-'))
  await find('tokens', 'API tokens')
  await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  await find('ab'.repeat(32), /^Open event abab/)
  await page.getByRole('heading', { name: 'Delivery not found' }).waitFor()
})
