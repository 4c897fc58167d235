import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { AUTHORS, type Author, CONNECTED, replyOf, startConnected } from './support/connected-reviews.ts'
import { chooseFilter } from './support/filters.ts'
import { openAs } from './support/seeded-console.ts'

/** Selects the reviews of these authors and opens the dialog that answers them, with this template. */
async function openWith(page: Page, template: string, authors: readonly Author[] = AUTHORS) {
  for (const author of authors) {
    const card = page.getByRole('article', { name: `Review by ${author}` })
    await card.getByRole('checkbox', { name: /^Select review by/ }).check()
  }
  await page.getByRole('button', { name: 'Answer with a template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: template }).click()
  return dialog
}

test('a review is answered in the feed, kept as a draft while typed, and can be undone', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await card.getByRole('button', { name: 'Answer', exact: true }).click()
  const field = card.getByLabel('Your answer')
  await field.waitFor()
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.type('Thank you, Ada.')
  await card.getByText('Draft saved').waitFor()
  await card.getByText('Draft answer').waitFor()
  assert.equal((await replyOf(seeded, of('Ada'))).draft, 'Thank you, Ada.')
  assert.deepEqual(await findings(page), [])
  await card.getByRole('button', { name: 'Publish' }).click()
  await card.getByText('Sent in 30 seconds or less').waitFor()
  await card.getByText('Answer pending').waitFor()
  assert.equal(new URL(page.url()).pathname, '/reviews')
  assert.deepEqual(await findings(page), [])
  assert.equal((await replyOf(seeded, of('Ada'))).draft, null)
  await card.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Answer undone. Its text is kept as a draft.').waitFor()
  assert.equal(await field.inputValue(), 'Thank you, Ada.')
  await field.press('Control+Enter')
  await card.getByText('Sent in 30 seconds or less').waitFor()
  seeded.running.clock.leap(31_000)
  await until('it is published', async () => (await replyOf(seeded, of('Ada'))).state === 'published')
  await card.getByText('Published', { exact: true }).waitFor()
  assert.equal((await replyOf(seeded, of('Ada'))).shown_text, 'Thank you, Ada.')
  await chooseFilter(page, 'Answer', 'Unanswered')
  await page.getByRole('status').getByText('2 reviews').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('the queue shows the reviews to answer, fewest stars first', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByRole('link', { name: 'To answer (3)' }).click()
  await page.getByText('1 of 3').waitFor()
  const names = await page
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')))
  assert.deepEqual(names, ['Review by Ben', 'Review by Ada', 'Review by Cleo'])
  const cardOf = (author: Author) => page.getByRole('article', { name: `Review by ${author}` })
  await cardOf('Ben').getByLabel('Your answer').waitFor()
  assert.deepEqual(await findings(page), [])
  for (const display of [
    { width: 390, height: 844, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'dark' },
  ] as const) {
    await page.setViewportSize(display)
    await page.emulateMedia({ colorScheme: display.colorScheme, reducedMotion: 'reduce' })
    assert.deepEqual(await findings(page), [], display.colorScheme)
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= display.width)
  }
  await page.getByRole('button', { name: 'Next' }).click()
  await cardOf('Ada').getByLabel('Your answer').waitFor()
  await page.getByText('2 of 3').waitFor()
  await page.getByRole('button', { name: 'Previous' }).click()
  const field = cardOf('Ben').getByLabel('Your answer')
  await field.fill('Sorry, Ben.')
  await field.press('Control+Enter')
  await cardOf('Ada').getByLabel('Your answer').waitFor()
  const notice = page.getByText('The answer will be sent in 30 seconds.')
  await notice.waitFor()
  assert.equal((await replyOf(seeded, of('Ben'))).state, 'pending')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('Answer undone. Its text is kept as a draft.').waitFor()
  assert.equal((await replyOf(seeded, of('Ben'))).draft, 'Sorry, Ben.')
  assert.deepEqual(visitor.errors, [])
})

test('several reviews are answered with a template after a preview, undone, sent, and have a receipt', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  const { running, ann } = seeded
  await ann.fetchJson('POST', '/v1/reply-templates', { name: 'Thanks', text: 'Thank you, {{author}}!' })
  await ann.fetchJson('POST', '/v1/reply-templates', { name: 'Long', text: 'x'.repeat(351) })
  await ann.fetchJson('PUT', `/v1/reviews/${of('Cleo')}/reply`, { text: 'Mine.' })
  await until('it is published', async () => (await replyOf(seeded, of('Cleo'))).state === 'published')
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  const dialog = await openWith(page, 'Long')
  await dialog.getByText('Left out: The text has 351 characters; the store accepts 350.').first().waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Publish 0 answers' }).isDisabled(), true)
  await dialog.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'Thanks' }).click()
  await dialog.getByText('Thank you, Ada!').waitFor()
  await dialog.getByText('Left out: The review has an answer.').waitFor()
  assert.deepEqual(await findings(page), [])
  await dialog.getByRole('button', { name: 'Publish 2 answers' }).click()
  await page.getByText('2 answers will be sent in 30 seconds.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 answers undone. The texts are kept as drafts.').waitFor()
  assert.equal((await replyOf(seeded, of('Ben'))).draft, 'Thank you, Ben!')
  const again = await openWith(page, 'Thanks')
  await again.getByRole('button', { name: 'Publish 2 answers' }).click()
  await page.getByRole('button', { name: 'View receipt' }).click()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  await receipt.getByText('0 sent, 2 not sent yet, 0 refused').waitFor()
  assert.deepEqual(await findings(page), [])
  running.clock.leap(31_000)
  await receipt.getByText('2 sent, 0 not sent yet, 0 refused').waitFor()
  assert.equal((await replyOf(seeded, of('Ben'))).shown_text, 'Thank you, Ben!')
  assert.equal((await replyOf(seeded, of('Cleo'))).shown_text, 'Mine.')
  await page.getByText('Nothing to answer').waitFor()
  assert.deepEqual(await findings(page), [])
  await receipt.getByRole('button', { name: 'Close receipt' }).click()
  await receipt.waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})

test('an answer to several reviews says which were left out, and its receipt when all were undone', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  const { running, ann } = seeded
  await ann.fetchJson('POST', '/v1/reply-templates', { name: 'Thanks', text: 'Thank you, {{author}}!' })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.clock.install()
  await page.goto('/reviews')
  const dialog = await openWith(page, 'Thanks')
  const publishAll = dialog.getByRole('button', { name: 'Publish 3 answers' })
  await publishAll.waitFor()
  const answerElsewhere = async (author: Author) => {
    await ann.fetchJson('PUT', `/v1/reviews/${of(author)}/reply`, { text: 'Mine.' })
    await until('it is published', async () => (await replyOf(seeded, of(author))).state === 'published')
  }
  await answerElsewhere('Cleo')
  await publishAll.click()
  await page
    .getByText('2 answers will be sent in 30 seconds. 1 could not be answered: The review has an answer.')
    .waitFor()
  await page.getByRole('button', { name: 'View receipt' }).click()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/v1/reply-batches/')) asked += 1
  })
  await receipt.getByRole('button', { name: 'Undo all' }).click()
  await receipt.getByText('All of these answers were undone or replaced.').waitFor()
  assert.equal(await receipt.getByRole('table').count(), 0)
  assert.equal(await receipt.getByRole('button', { name: 'Undo all' }).count(), 0)
  assert.deepEqual(await findings(page), [])
  const before = asked
  await page.clock.runFor(10_000)
  await page.evaluate(() => fetch('/healthz'))
  assert.equal(asked, before, 'nothing is left to follow')

  await page.goto('/reviews')
  const again = await openWith(page, 'Thanks', ['Ada', 'Ben'])
  const publishBoth = again.getByRole('button', { name: 'Publish 2 answers' })
  await publishBoth.waitFor()
  await answerElsewhere('Ada')
  await answerElsewhere('Ben')
  await publishBoth.click()
  const nothing = page.getByRole('alert').filter({ hasText: 'No answers will be sent' })
  await nothing.getByText('2 could not be answered: The review has an answer.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('a new review takes the editor from nobody who types, nor does one that somebody else answered', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/to-answer')
  const field = page.getByRole('article', { name: 'Review by Ben' }).getByLabel('Your answer')
  await field.waitFor()
  await page.keyboard.type('Sorry, ')
  publish(running, CONNECTED, { author: 'Dan', body: 'It crashes, says Dan.', rating: 1 })
  const cards = page.getByRole('article')
  await page.getByRole('article', { name: 'Review by Dan' }).waitFor()
  assert.equal(await cards.first().getAttribute('aria-label'), 'Review by Dan')
  await page.keyboard.type('Ben.')
  assert.equal(await field.inputValue(), 'Sorry, Ben.')
  await page.getByText('2 of 4').waitFor()
  await ann.fetchJson('PUT', `/v1/reviews/${of('Ben')}/reply`, { text: 'Answered elsewhere.' })
  await field.waitFor({ state: 'detached' })
  await page.getByText('3 to answer').waitFor()
  assert.equal(await page.getByLabel('Your answer').count(), 0)
  await page.getByRole('button', { name: 'Next' }).click()
  await cards.first().getByLabel('Your answer').waitFor()
  await page.getByText('1 of 3').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an answer that could not be published is kept as a draft, and does not change while it is sent', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await page.route('**/v1/reviews/*/reply', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    asked.resolve()
    await answered.promise
    await route.fulfill({ status: 503, json: { error: 'Try again in a minute.' } })
  })
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await card.getByRole('button', { name: 'Answer', exact: true }).click()
  const field = card.getByLabel('Your answer')
  await field.fill('Thank you, Ada.')
  await field.press('Control+Enter')
  await asked.promise
  assert.equal(await field.isEditable(), false, 'while it is sent')
  // One before the answer may have saved it, too.
  const saved = page.waitForRequest((request) => request.url().endsWith('/reply/draft'))
  answered.resolve()
  await saved
  await card.getByRole('alert').waitFor()
  assert.equal(await field.isEditable(), true, 'after the failure')
  await card.getByText('Draft saved').waitFor()
  assert.equal((await replyOf(seeded, of('Ada'))).draft, 'Thank you, Ada.')
  assert.deepEqual(visitor.errors, [])
})

test('a review leaves the count of a filter by its answer at once', async () => {
  const { seeded } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews?answer=unanswered')
  await page.getByRole('status').getByText('3 reviews').waitFor()
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await card.getByRole('button', { name: 'Answer', exact: true }).click()
  await card.getByLabel('Your answer').fill('Thank you, Ada.')
  await card.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('status').getByText('2 reviews').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an editor that is opened while the draft is saved has the newest text, and no older one is saved over it', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann, { width: 1440 })
  const { page } = visitor
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const saved: unknown[] = []
  await page.route('**/v1/reviews/*/reply/draft', async (route) => {
    saved.push(route.request().postDataJSON())
    asked.resolve()
    await answered.promise
    await route.continue()
  })
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  const open = card.getByRole('button', { name: /^(Answer|Continue draft)$/ })
  await open.click()
  const field = card.getByLabel('Your answer')
  await field.pressSequentially('Thank')
  await card.getByRole('button', { name: 'Close', exact: true }).click()
  await asked.promise
  await open.click()
  assert.equal(await field.inputValue(), 'Thank')
  await field.press('End')
  await field.pressSequentially(' you')
  await field.press('Home')
  await field.pressSequentially('- ')
  assert.equal(await field.inputValue(), '- Thank you', 'the cursor stays where it is')

  // The review that is open beside the list has its editor there only.
  await card.getByRole('link', { name: 'Details' }).click()
  const pane = page.getByRole('region', { name: 'Review', exact: true })
  const beside = pane.getByLabel('Your answer')
  await beside.waitFor()
  assert.equal(await page.getByLabel('Your answer').count(), 1)
  assert.equal(await beside.inputValue(), '- Thank you')
  await beside.press('End')
  await beside.pressSequentially(', Ada.')
  await pane.getByRole('button', { name: 'Close review' }).click()
  answered.resolve()
  const last = '- Thank you, Ada.'
  await until('it is saved', async () => (await replyOf(seeded, of('Ada'))).draft === last)
  assert.deepEqual(saved.at(0), { text: 'Thank' })
  assert.deepEqual(saved.at(-1), { text: last })
  await card.getByRole('button', { name: 'Continue draft' }).click()
  assert.equal(await field.inputValue(), last)
  assert.deepEqual(visitor.errors, [])
})

test('a draft that could not be saved stays in the editor that is opened again, and is saved later', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.route('**/v1/reviews/*/reply/draft', (route) =>
    route.fulfill({ status: 503, json: { error: 'Try again in a minute.' } }),
  )
  await page.goto('/reviews')
  const card = page.getByRole('article', { name: 'Review by Ada' })
  const open = card.getByRole('button', { name: 'Answer', exact: true })
  await open.click()
  const field = card.getByLabel('Your answer')
  await field.fill('Thank you, Ada.')
  await card.getByText('The draft could not be saved.').waitFor()
  await card.getByRole('button', { name: 'Close', exact: true }).click()
  await open.click()
  assert.equal(await field.inputValue(), 'Thank you, Ada.')
  await page.unroute('**/v1/reviews/*/reply/draft')
  await field.blur()
  await card.getByText('Draft saved').waitFor()
  assert.equal((await replyOf(seeded, of('Ada'))).draft, 'Thank you, Ada.')
  assert.deepEqual(visitor.errors, [])
})
