import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined } from '../../test/support/join.ts'
import { findings } from './support/browser.ts'
import { openAs, startSeededConsole } from './support/seeded-console.ts'

test('a saved view is shared by the members of the account, and its deletion is undone', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('POST', '/views', { name: 'Bad ones', filters: { stars: '1,2' } })
  const mia = await joined(running, ann, 'Mia')
  await using visitor = await openAs(running, { ...ann, ...mia })
  const { page } = visitor
  await page.goto('/reviews')
  const views = page.getByRole('button', { name: 'Views' })
  await views.click()
  await page.getByRole('menuitem', { name: 'Bad ones Saved by Ann' }).click()
  await page.waitForURL(/stars=1(,|%2C)2/)
  await views.click()
  await page.getByRole('menuitem', { name: 'Delete “Bad ones”' }).click()
  await page.getByText('Deleted the view “Bad ones”').waitFor()
  assert.deepEqual(await ann.fetchJson('GET', '/views'), [])
  await page.getByRole('button', { name: 'Undo' }).click()
  await views.click()
  await page.getByRole('menuitem', { name: 'Bad ones Saved by Mia' }).waitFor()
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})

test('a destination of a view has its filters, and names those that a subscription lacks', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews?stars=1,2&status=new&theme=sync')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Create a destination from this view' }).click()
  await page.getByText('A subscription has no filter for: Status.').waitFor()
  await page.getByRole('textbox', { name: 'URL' }).fill(seeded.receiver.url)
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Add destination' }).click()
  await page.getByText('signing secret').first().waitFor()
  const [hook] = await seeded.ann.fetchJson<{ id: string }[]>('GET', '/v1/hooks')
  type Rule = { apps: string; min_stars: number; max_stars: number; themes: string[] }
  const [rule] = await seeded.ann.fetchJson<Rule[]>('GET', `/v1/hooks/${hook?.id}/watch-sets`)
  assert.deepEqual([rule?.apps, rule?.min_stars, rule?.max_stars, rule?.themes], ['all', 1, 2, ['sync']])
  assert.deepEqual(visitor.errors, [])
})

test('a view of this browser is deleted from its menu, which can be undone', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const { user } = await seeded.ann.fetchJson<{ user: { id: string } }>('GET', '/session')
  await page.goto('/reviews')
  await page.evaluate(([key, views]) => localStorage.setItem(key, views), [
    `radar.views.${user.id}`,
    JSON.stringify([{ name: 'Old ones', filters: { stars: '1' } }]),
  ] as const)
  await page.reload()
  const views = page.getByRole('button', { name: 'Views' })
  await views.click()
  await page.getByRole('menuitem', { name: 'Delete “Old ones” from this browser' }).click()
  await page.getByText('Deleted the view “Old ones”').waitFor()
  await views.click()
  await page.getByRole('menuitem', { name: 'Save these filters' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Old ones' }).count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await views.click()
  await page.getByRole('menuitem', { name: 'Old ones', exact: true }).click()
  await page.waitForURL(/stars=1/)
  assert.deepEqual(visitor.errors, [])
})

test('the menu of views says why they cannot be loaded', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.route('**/console/views', (route) =>
    route.fulfill({ status: 400, json: { error: 'No views today.' } }),
  )
  await page.goto('/reviews')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByText('The views could not be loaded. No views today.').waitFor()
})
