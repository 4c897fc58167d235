import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const later = () => new Date(Date.now() + 2_000)

test('destinations are sorted, filtered, and paused and resumed together', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  for (const name of ['Beta', 'Alpha', 'Gamma']) {
    await ann.fetchJson('POST', '/destinations', {
      target_url: `${receiver.url}${name}`,
      name,
    })
  }
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/destinations')
  const names = () => page.locator('tbody').getByRole('link').allTextContents()
  const header = page.getByRole('button', { name: 'Destination', exact: true })
  await header.focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('columnheader', { name: 'Destination' })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor()
  assert.deepEqual(await names(), ['Alpha', 'Beta', 'Gamma'])
  assert.ok(page.url().endsWith('?sort=name'))
  await page.keyboard.press('Enter')
  await page.locator('[aria-sort=descending]').waitFor()
  assert.deepEqual(await names(), ['Gamma', 'Beta', 'Alpha'])
  await page.reload()
  await page.locator('[aria-sort=descending]').waitFor()
  assert.deepEqual(await names(), ['Gamma', 'Beta', 'Alpha'])

  await page.getByRole('checkbox', { name: 'Select Alpha' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Select Gamma' }).check()
  await page.getByText('2 selected').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('2 paused.').waitFor()
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('1 paused, 2 unchanged.').waitFor()
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Active' }).click()
  await page.getByText('No destinations match these filters').waitFor()
  assert.ok(page.url().includes('state=active'))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByRole('button', { name: 'Retry pending' }).click()
  await page.getByText(/^0 retried, 3 could not be retried: The destination is paused\./).waitFor()
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('3 resumed.').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('selected deliveries are retried together, and each state says why not', async () => {
  await using seeded = await startSeededConsole({ RADAR_RETRY_WAITS: '1h,1h,1h' })
  const { running, ann, receiver } = seeded
  await seeded.newDestination()
  publish(running, { ...NOTES, market: 'us' }, { title: 'Good', publishedAt: later() })
  await receiver.received(1)
  receiver.answerWith(500)
  publish(running, { ...NOTES, market: 'us' }, { title: 'Bad', publishedAt: later() })
  await receiver.received(2)
  receiver.answerWith(204)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/deliveries')
  const events = () => page.locator('tbody').getByRole('link', { name: /^(Good|Bad)$/ })
  await page.locator('[aria-sort=descending]').waitFor()
  assert.deepEqual(await events().allTextContents(), ['Bad', 'Good'])
  await page.getByRole('button', { name: 'Created' }).click()
  await page.locator('[aria-sort=ascending]').waitFor()
  await events().filter({ hasText: 'Good' }).and(page.locator('tbody tr:nth-child(1) a')).waitFor()
  assert.ok(page.url().endsWith('?sort=created'))
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.getByText(/^1 retried, 1 could not be retried: It was delivered\./).waitFor()
  await receiver.received(3)
  assert.deepEqual(visitor.errors, [])
})

test('narrow screens have cards, which are sorted and selected too', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await seeded.newDestination()
  await using visitor = await openAs(running, ann, { width: 360, colorScheme: 'dark' })
  const { page } = visitor
  await page.goto('/destinations?sort=name')
  await page.getByRole('list', { name: 'Destinations' }).getByRole('listitem').waitFor()
  await page
    .getByRole('combobox', { name: 'Sort by' })
    .and(page.locator('[value="Destination, ascending"]'))
    .waitFor()
  await page.getByRole('checkbox', { name: /^Select http/ }).check()
  await page.getByText('1 selected').waitFor()
  assert.deepEqual(await findings(page), [])
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  assert.equal(wider, false)
  assert.deepEqual(visitor.errors, [])
})
