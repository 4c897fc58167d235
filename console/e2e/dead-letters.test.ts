import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('dead letters are inspected, discarded and replayed in bulk', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  receiver.answerWith(500, { 'content-type': 'text/html' }, '<h1>out of order</h1>')
  await seeded.newDestination()
  for (let count = 0; count < 3; count += 1) {
    publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  }
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/dead-letters')
  await page.getByRole('button', { name: 'Replay all 3' }).waitFor()
  await page.getByText('Attempts exhausted: 3').waitFor()
  await page.getByRole('row').getByText('HTTP 500, then attempts exhausted').first().waitFor()

  await page
    .getByRole('link', { name: /^Title/ })
    .first()
    .click()
  await page.getByText('<h1>out of order</h1>').last().waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl -sS 'http:\/\/127\.0\.0\.1/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  receiver.answerWith(204)
  await page
    .getByRole('checkbox', { name: /^Select Title/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Replay all 2' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 dead letters', { exact: true }).waitFor()
  const before = receiver.requests.length
  await dialog.getByRole('button', { name: 'Replay 2' }).click()
  await receiver.received(before + 2)
  await page.getByText(/2 delivered/).waitFor()
  await page.getByText('No dead letters').waitFor()
  assert.deepEqual(visitor.errors, [])
})
