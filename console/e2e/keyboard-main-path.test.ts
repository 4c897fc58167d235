import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { baseline } from '../../test/support/radar.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { addApp } from '../../test/support/service.ts'
import { startBeforeSetup } from '../../test/support/setup.ts'
import { openBrowser, visit } from './support/browser.ts'
import { assertTree, enter, tabTo } from './support/keyboard.ts'
import { NOTES } from './support/seeded-console.ts'

const later = () => new Date(Date.now() + 2_000)

test('from setup to the retry of a failed delivery, everything is done and read without a mouse', async () => {
  await using service = await startBeforeSetup({ RADAR_RETRY_WAITS: '1h' })
  const { code, running } = service
  addApp(running.world, NOTES, { average: '4.5', count: 1_000 }, ['us'])
  const place = { ...NOTES, market: 'us' }
  await using receiver = await startReceiver()
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor
  const { keyboard } = page
  const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const type = async (label: string, text: string) => {
    await tabTo(page, label)
    await keyboard.type(text)
  }

  await page.goto('/')
  await heading('Welcome to Review Radar')
  await assertTree(page, ['heading "Welcome to Review Radar" [level=1]', 'textbox "Setup code"'])
  await type('Setup code', code)
  await type('Your name', 'Ann')
  await type('E-mail', 'ann@example.com')
  await type('Password', 'correct horse battery')
  await keyboard.press('Enter')

  await heading('Overview')
  await assertTree(page, [
    'link "Skip to content"',
    'banner',
    'navigation "Pages"',
    'link "Overview"',
    'main',
    'region "Getting started"',
    'article "Step 1: Track an app"',
    'link "Find your app"',
  ])
  await enter(page, 'Find your app')
  await page.getByLabel('App', { exact: true }).and(page.locator(':focus')).waitFor()
  await keyboard.type('Larkspur')
  await page.getByRole('article', { name: NOTES.name }).waitFor()
  await assertTree(page, ['heading "Add an app" [level=1]', 'article "Larkspur Notes"', 'button "Track"'])
  await enter(page, 'Track')
  await page.getByRole('dialog').waitFor()
  await assertTree(page, ['dialog', 'heading', 'checkbox "Germany"', 'button "Track in 1 storefront"'])
  await enter(page, 'Track in 1 storefront')
  await page.getByRole('button', { name: 'Show events in the inbox' }).waitFor()
  await enter(page, 'Show events in the inbox')
  await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
  await enter(page, 'Send a test event')
  await page.getByRole('row').filter({ hasText: 'Test' }).waitFor()
  await baseline(running, NOTES.appId)

  await enter(page, 'Destinations')
  await heading('Destinations')
  await enter(page, 'Add a destination')
  await heading('Add a destination')
  await type('URL', receiver.url)
  await tabTo(page, 'App')
  await keyboard.press('ArrowDown')
  await page.getByRole('option', { name: /Larkspur Notes/ }).waitFor()
  await assertTree(page, ['textbox "URL"', 'combobox "App"', 'listbox', 'option "Larkspur Notes'])
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByText(/New reviews.*Larkspur Notes/).waitFor()
  await enter(page, 'Add destination')
  await page.getByText('Copy the signing secret now').waitFor()

  receiver.answerWith(500)
  publish(running, place, { title: 'It crashes', body: 'On start.', rating: 1, publishedAt: later() })
  await receiver.received(1)
  receiver.answerWith(204)
  await enter(page, 'Deliveries')
  await heading('Deliveries')
  await page.getByRole('row').filter({ hasText: 'It crashes' }).first().waitFor()
  await assertTree(page, ['table', 'columnheader', 'row', 'img "1 of 5 stars"', 'link "It crashes"'])
  await enter(page, 'It crashes')
  await page.getByRole('dialog', { name: 'Delivery' }).waitFor()
  await assertTree(page, ['dialog "Delivery"', 'button "Close"', 'article "What was sent"'])
  await enter(page, 'Open page')
  await heading('New review')
  await enter(page, 'Retry now')
  await page.getByText('Delivered', { exact: true }).waitFor()
  assert.equal((await receiver.received(2)).length, 2)
  await enter(page, 'View review')
  await heading('Review of Larkspur Notes')
  await assertTree(page, ['heading "Review of Larkspur Notes" [level=1]', 'img "1 of 5 stars"', 'On start.'])
  assert.deepEqual(visitor.errors, [])
})
