import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startFeed } from './support/review-feed.ts'
import { openAs } from './support/seeded-console.ts'

test('a wide screen shows a review beside the list, with an address that the back button leaves', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  await page.goto('/reviews?stars=1,2,3,4,5')
  const cards = page.getByRole('feed').getByRole('article')
  await cards.nth(4).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  await pane.getByText('It crashes every time I open a note.').first().waitFor()
  await pane.getByRole('heading', { name: 'Enrichment' }).waitFor()
  const first = page.url()
  assert.match(first, /\/reviews\?stars=1,2,3,4,5&review=[0-9a-f]{64}$/)
  assert.deepEqual(await findings(page), [])

  await page.keyboard.press('j')
  await until('the address has the next review', () => page.url() !== first)
  assert.equal(await cards.nth(1).getAttribute('aria-current'), 'true')
  await page.goBack()
  await pane.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/reviews\?stars=1,2,3,4,5$/)

  await cards.first().click({ position: { x: 4, y: 4 } })
  await pane.waitFor()
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/reviews\?stars=1,2,3,4,5$/)
  assert.ok(await cards.first().evaluate((card) => card === document.activeElement))

  // Who was sent the address has no list to go back to.
  await page.goto(first)
  await pane.getByText('It crashes every time I open a note.').first().waitFor()
  await pane.getByRole('button', { name: 'Close review' }).click()
  await pane.waitFor({ state: 'detached' })
  assert.match(page.url(), /\/reviews\?stars=1,2,3,4,5$/)
  assert.deepEqual(visitor.errors, [])
})

test('rows stay compact once chosen, and the link of a review can be copied', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const first = page.getByRole('article').first()
  await first.getByRole('button', { name: 'Copy link' }).click()
  await first.getByText('Link copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const details = (await first.getByRole('link', { name: 'Details' }).getAttribute('href')) ?? ''
  assert.equal(link, new URL(details, page.url()).href)
  const tall = (await first.boundingBox())?.height ?? 0
  await page.getByRole('button', { name: 'Compact rows' }).click()
  await page.reload()
  await first.waitFor()
  const line = (await first.boundingBox())?.height ?? 0
  assert.ok(line < 60 && line < tall / 2, `${tall} px full, ${line} px compact`)
  assert.equal(await page.getByRole('article').count(), 5)
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Full rows' }).click()
  await first.getByRole('button', { name: 'Copy link' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('on a phone, the whole card opens the review, and filters are chips', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 360, height: 740 })
  const { page } = visitor
  await page.goto('/reviews?stars=1&bug=true')
  await page.getByRole('button', { name: 'Stars 1 star' }).click()
  await page.getByRole('option', { name: '1 star', exact: true }).waitFor()
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  await page.getByText('It crashes every time I open a note.').click()
  await page.getByRole('heading', { level: 1, name: 'Review of Larkspur Notes' }).waitFor()
  const own = page.url()
  assert.match(own, /\/reviews\/[0-9a-f]{64}$/)
  await page.goBack()
  await page.getByRole('feed').waitFor()
  // The address of a review beside the list leads to its page.
  await page.goto(`/reviews?review=${own.slice(-64)}`)
  await until('the page is shown', () => page.url() === own)
  assert.deepEqual(visitor.errors, [])
})
