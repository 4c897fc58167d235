import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { chooseFilter } from './support/filters.ts'
import { startFeed } from './support/review-feed.ts'
import { openAs } from './support/seeded-console.ts'

test('each filter is a chip that opens its editor and has a button that removes it', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await chooseFilter(page, 'Stars', '1 and 2 stars')
  await page.getByRole('status').getByText('1 review').waitFor()
  await page.getByRole('button', { name: 'Stars 1 and 2 stars' }).click()
  // With the keyboard: the field narrows the options, Enter takes the first.
  await page.getByRole('option', { name: '4 and 5 stars' }).waitFor()
  await page.keyboard.type('4 and')
  await page.keyboard.press('Enter')
  await until('the chip has the other value', () => page.url().endsWith('/reviews?stars=4,5'))
  await page.getByRole('button', { name: 'Stars 4 and 5 stars' }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'App', exact: true }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Stars' }).count(), 0)
  await page.getByRole('menuitem', { name: 'App', exact: true }).click()
  await page.getByRole('option', { name: /^Larkspur Notes/ }).click()
  await page.getByRole('button', { name: 'App Larkspur Notes' }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Published' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Since' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await page.getByRole('button', { name: /^Published since / }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  for (const name of ['Stars', 'App', 'Published']) {
    await page.getByRole('button', { name: `Remove the filter ${name}` }).click()
  }
  await until('no filter is left', () => page.url().endsWith('/reviews'))
  await page.getByRole('status').getByText('5 reviews').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a filter that is left without a value is not set, and the focus returns to the menu', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const add = page.getByRole('button', { name: 'Filter', exact: true })
  await add.click()
  await page.getByRole('menuitem', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Crashes' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until('the focus is on the button', () => add.evaluate((button) => button === document.activeElement))
  assert.equal(await page.getByRole('search').getByRole('button', { name: 'Theme' }).count(), 0)
  assert.ok(page.url().endsWith('/reviews'))
})
