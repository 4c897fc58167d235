import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishOld } from '../../test/support/publish.ts'
import { tabTo } from './support/keyboard.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('an app is found and tracked with only the keyboard', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  publishOld(running, { ...NOTES, market: 'us' }, 2)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/apps/add')
  await page.getByRole('heading', { name: 'Add an app' }).waitFor()

  await page.getByLabel('App', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Larkspur')
  await page.getByRole('article', { name: 'Larkspur Notes' }).waitFor()
  await tabTo(page, 'Track')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, 'Germany')
  await page.keyboard.press('Space')
  await tabTo(page, 'Track in 2 storefronts')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show events in the inbox' }).waitFor()
  await tabTo(page, 'View the app')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Larkspur Notes', level: 1 }).waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'Larkspur Notes', level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content')
  assert.deepEqual(visitor.errors, [])
})
