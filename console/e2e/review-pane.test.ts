import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { PASSWORD } from '../../test/support/console-client.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startConnected } from './support/connected-reviews.ts'
import { startFeed } from './support/review-feed.ts'
import { openAs } from './support/seeded-console.ts'

test('a wide screen shows a review beside the list, and Back closes it', async () => {
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
  await until(
    'the next review is the open one',
    async () => (await cards.nth(1).getAttribute('aria-current')) === 'true',
  )
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
  assert.ok(await cards.first().evaluate((card) => card === document.activeElement))
  assert.deepEqual(visitor.errors, [])
})

test('a review beside the list can be closed while it loads and when it does not exist', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  const close = pane.getByRole('button', { name: 'Close review' })
  const missing = `/reviews?review=${'0'.repeat(64)}`
  await page.goto(missing)
  await pane.getByText('Review not found').waitFor()
  await close.click()
  await pane.waitFor({ state: 'detached' })
  const released = Promise.withResolvers<void>()
  await page.route(`**/v1/reviews/${'0'.repeat(64)}`, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(missing)
  await pane.getByLabel('Loading').waitFor()
  await close.click()
  await pane.waitFor({ state: 'detached' })
  released.resolve()
  assert.deepEqual(visitor.errors, [])
})

test('what is typed for one review stays with it, beside the list and on its page', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  await page.goto('/reviews')
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  const answer = pane.getByLabel('Your answer')
  const note = pane.getByRole('textbox', { name: 'New note' })
  const open = async (author: 'Ada' | 'Ben') => {
    const card = page.getByRole('feed').getByRole('article', { name: `Review by ${author}` })
    await card.getByRole('link', { name: 'Details' }).click()
    await pane.getByText(`It crashes, says ${author}.`).first().waitFor()
    await answer.waitFor()
  }
  // Both are loaded, so nothing is between them later.
  await open('Ben')
  await open('Ada')
  await answer.fill('Thank you, Ada.')
  await note.fill('Ask Ada for a log.')
  await open('Ben')
  assert.deepEqual([await answer.inputValue(), await note.inputValue()], ['', ''])
  const both = async () => [await answer.inputValue(), await note.inputValue()]
  await open('Ada')
  assert.deepEqual(await both(), ['Thank you, Ada.', 'Ask Ada for a log.'])
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  await open('Ada')
  assert.deepEqual(await both(), ['Thank you, Ada.', 'Ask Ada for a log.'])

  await page.goto(`/reviews/${of('Ada')}`)
  const typed = page.getByRole('textbox', { name: 'New note' })
  assert.equal(await typed.inputValue(), '', 'after a reload')
  await typed.fill('Ask Ada for a log.')
  await page.keyboard.press('Control+K')
  await page.getByRole('textbox', { name: 'Go to' }).fill('says Ben')
  await page.getByRole('dialog').getByText('It crashes, says Ben.').click()
  await page.waitForURL(`**/reviews/${of('Ben')}`)
  await page.getByText('It crashes, says Ben.').first().waitFor()
  assert.equal(await typed.inputValue(), '')
  await page.goBack()
  await page.getByText('It crashes, says Ada.').first().waitFor()
  assert.equal(await typed.inputValue(), 'Ask Ada for a log.')
  assert.deepEqual(visitor.errors, [])
})

test('a note does not change while it is added, is kept when that fails, and is added once', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const answered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let requests = 0
  await page.route('**/v1/reviews/*/notes', async (route) => {
    const request = requests++
    asked[request]?.resolve()
    await answered[request]?.promise
    await (request === 0 ? route.fulfill({ status: 503, json: { error: 'Try again.' } }) : route.continue())
  })
  await page.goto(`/reviews?review=${of('Ada')}`)
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  const note = pane.getByRole('textbox', { name: 'New note' })
  const add = pane.getByRole('button', { name: 'Add note' })
  await note.fill('Ask Ada for a log.')
  await add.click()
  await asked[0].promise
  assert.equal(await note.isEditable(), false, 'while it is added')
  answered[0].resolve()
  await page.getByRole('alert').getByText('Try again.').waitFor()
  assert.equal(await note.inputValue(), 'Ask Ada for a log.')
  await add.click()
  await asked[1].promise
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  const card = page.getByRole('feed').getByRole('article', { name: 'Review by Ada' })
  await card.getByRole('link', { name: 'Details' }).click()
  await note.waitFor()
  assert.equal(await note.isEditable(), false, 'in the field that was opened meanwhile')
  answered[1].resolve()
  await pane.getByText('Ask Ada for a log.', { exact: true }).waitFor()
  await until('the field is empty', async () => (await note.inputValue()) === '')
  assert.equal(requests, 2)
  assert.deepEqual(visitor.errors, [])
})

test('the next user of the browser does not get what was typed', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann, { width: 1440 })
  const { page } = visitor
  await page.goto(`/reviews/${of('Ada')}`)
  const note = page.getByRole('textbox', { name: 'New note' })
  await note.fill('Ask Ada for a log.')
  await page.getByRole('button', { name: /Ann/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'Reviews' }).first().click()
  await page.getByRole('article', { name: 'Review by Ada' }).getByRole('link', { name: 'Details' }).click()
  await note.waitFor()
  assert.equal(await note.inputValue(), '')
  assert.deepEqual(visitor.errors, [])
})

test('an erased review leaves the list with its filters, and the selection', async () => {
  const { seeded } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  await page.goto('/reviews?stars=1,2')
  const feed = page.getByRole('feed')
  for (const author of ['Ada', 'Ben']) {
    const card = feed.getByRole('article', { name: `Review by ${author}` })
    await card.getByRole('checkbox', { name: /^Select review by/ }).check()
  }
  const selected = page.getByRole('region', { name: 'Selected reviews' })
  await selected.getByText('2 selected').waitFor()
  await feed.getByRole('article', { name: 'Review by Ada' }).getByRole('link', { name: 'Details' }).click()
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  await pane.getByRole('button', { name: 'Erase review' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase review' }).click()
  await pane.waitFor({ state: 'detached' })
  await feed.getByRole('article', { name: 'Review by Ada' }).waitFor({ state: 'detached' })
  assert.match(page.url(), /\/reviews\?stars=1,2$/)
  assert.equal(await feed.getByRole('article').count(), 1)
  await selected.getByText('1 selected').waitFor()
  // Nothing in the history shows it any more.
  await page.goForward()
  assert.match(page.url(), /\/reviews\?stars=1,2$/)
  assert.deepEqual(visitor.errors, [])
})

test('a compact row is opened with the keyboard, and the keys of the list do nothing behind a dialog', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  await page.goto('/reviews')
  const first = page.getByRole('feed').getByRole('article').first()
  await page.getByRole('button', { name: 'Compact rows' }).click()
  const link = first.getByRole('link', { name: 'It crashes every time I open a note.' })
  await link.focus()
  await page.keyboard.press('Enter')
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  await pane.getByText('It crashes every time I open a note.').first().waitFor()
  const url = page.url()
  // Off the button, which has a tooltip.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  for (const key of ['j', 'd']) await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(page.url(), url)
  const { data } = await seeded.ann.fetchJson<ReviewPage>('GET', '/v1/reviews?status=done')
  assert.deepEqual(data, [])
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
