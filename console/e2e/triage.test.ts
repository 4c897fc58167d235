import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { joined } from '../../test/support/join.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { openAs, RUNS, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

const AUTHORS = ['Ada', 'Ben', 'Cleo']

async function seededReviews(): Promise<SeededConsole> {
  const seeded = await startSeededConsole({ RADAR_REVIEWS_POLL_INTERVAL: '100ms' })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  for (const author of AUTHORS) publish(running, { ...RUNS, market: 'en' }, { author, rating: 2 })
  await until('the reviews are stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data.length === AUTHORS.length
  })
  return seeded
}

const countOf = async ({ ann }: SeededConsole, query: string) =>
  (await ann.fetchJson<ReviewPage>('GET', `/v1/reviews?${query}`)).data.length

test('a review is marked, assigned, tagged and noted, and the feed shows and filters it', async () => {
  await using seeded = await seededReviews()
  const { running, ann } = seeded
  await joined(running, ann, 'Mia')
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await card.getByRole('button', { name: 'Triage: New' }).click()
  await page.getByRole('menuitem', { name: 'Mia' }).click()
  await card.getByLabel('Assigned to Mia').waitFor()
  await card.getByRole('link', { name: 'Details' }).click()
  const section = page.getByRole('region', { name: 'Triage' })
  await section.getByText('Done', { exact: true }).click()
  await section.getByLabel('Tags').fill('Billing')
  await page.keyboard.press('Enter')
  await section.getByText('billing', { exact: true }).waitFor()
  await section.getByRole('textbox', { name: 'New note' }).fill('Fixed in 5.2.1')
  await section.getByRole('button', { name: 'Add note' }).click()
  await section.getByText('Fixed in 5.2.1').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.goBack()
  for (const badge of ['Done', 'billing', '1 note'])
    await card.getByText(badge, { exact: true }).first().waitFor()
  await page.goto('/reviews?status=new')
  await page.getByRole('article', { name: 'Review by Ben' }).waitFor()
  assert.equal(await card.count(), 0)
  await page.goto('/reviews?tag=billing&status=done')
  await card.waitFor()
  assert.equal(await page.getByRole('article').count(), 1)
  assert.deepEqual(visitor.errors, [])
})

test('marks, assigns and tags the selected reviews, and undoes a mark', async () => {
  await using seeded = await seededReviews()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const boxes = page.getByRole('checkbox', { name: /^Select review by/ })
  await boxes.nth(2).waitFor()
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  const bar = page.getByRole('region', { name: 'Selected reviews' })
  await bar.getByRole('button', { name: 'Mark done' }).click()
  const marked = page.getByRole('alert').filter({ hasText: '2 reviews marked done' })
  await marked.waitFor()
  assert.equal(await countOf(seeded, 'status=done'), 2)
  await bar.getByRole('textbox', { name: 'Add tag' }).fill('VIP')
  await page.keyboard.press('Enter')
  await page.getByText('2 reviews tagged VIP').waitFor()
  assert.equal(await countOf(seeded, 'tag=vip'), 2)
  await marked.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone for 2 reviews').waitFor()
  assert.equal(await countOf(seeded, 'status=done'), 0)
  assert.equal(await countOf(seeded, 'tag=vip'), 2, 'later changes stay')
  await page.getByText('vip', { exact: true }).nth(1).waitFor()
  await bar.getByRole('button', { name: 'Assign to' }).click()
  await page.getByRole('menuitem', { name: 'Me', exact: true }).click()
  await page.getByText('2 reviews assigned to Ann').waitFor()
  assert.equal(await countOf(seeded, 'assignee=me'), 2)
  assert.deepEqual(visitor.errors, [])
})

test('two tags that follow each other quickly are both added, and one is removed', async () => {
  await using seeded = await seededReviews()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const { data } = await seeded.ann.fetchJson<ReviewPage>('GET', '/v1/reviews?text=Ada')
  await page.goto(`/reviews/${data[0]?.fingerprint}`)
  const section = page.getByRole('region', { name: 'Triage' })
  const typed = Promise.withResolvers<void>()
  // Both are typed before the service has the first.
  await page.route('**/triage', async (route) => {
    await typed.promise
    await route.continue()
  })
  const field = section.getByLabel('Tags')
  for (const tag of ['Billing', 'refund']) {
    await field.fill(tag)
    await page.keyboard.press('Enter')
  }
  typed.resolve()
  for (const tag of ['billing', 'refund']) await section.getByText(tag, { exact: true }).waitFor()
  assert.equal(await countOf(seeded, 'tag=billing'), 1)
  assert.equal(await countOf(seeded, 'tag=refund'), 1)
  await field.press('Backspace')
  await until('the last tag is removed', async () => (await countOf(seeded, 'tag=refund')) === 0)
  assert.equal(await countOf(seeded, 'tag=billing'), 1)
  assert.deepEqual(visitor.errors, [])
})

test('the keys s and d mark the focused review', async () => {
  await using seeded = await seededReviews()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('d')
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await page.getByText('1 review marked seen').waitFor()
  assert.deepEqual([await countOf(seeded, 'status=seen'), await countOf(seeded, 'status=done')], [1, 0])
  await page.keyboard.press('d')
  await page.getByText('1 review marked done').waitFor()
  assert.equal(await countOf(seeded, 'status=done'), 1)
  assert.deepEqual(visitor.errors, [])
})

test('a change without a network fails at once, and is not made later', async () => {
  await using seeded = await seededReviews()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  const menu = card.getByRole('button', { name: 'Triage: New' })
  await menu.waitFor()
  await visitor.context.setOffline(true)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await page.getByRole('alert').filter({ hasText: 'Request failed' }).waitFor()
  await visitor.context.setOffline(false)
  await card.getByRole('button', { name: 'Triage: New' }).click()
  await page.getByRole('menuitem', { name: 'Seen' }).click()
  await card.getByRole('button', { name: 'Triage: Seen' }).waitFor()
  assert.deepEqual([await countOf(seeded, 'status=done'), await countOf(seeded, 'status=seen')], [0, 1])
})
