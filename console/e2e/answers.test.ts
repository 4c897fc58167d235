import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { createServiceAccount } from '../../src/simulate/official/connect.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { chooseFilter } from './support/filters.ts'
import { openAs, RUNS, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

const AUTHORS = ['Ada', 'Ben', 'Cleo'] as const
type Author = (typeof AUTHORS)[number]

/** Connects Google Play, with a review of each author: of two, one and three stars. Returns their fingerprints. */
async function startConnected() {
  const seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  const file = createServiceAccount(running.world, { appIds: [RUNS.appId] })
  const { id } = await ann.fetchJson<StoreConnectionView>('POST', '/v1/store-connections', {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [RUNS.appId],
  })
  await ann.fetchJson('PUT', `/v1/store-connections/${id}/apps/${RUNS.appId}`)
  const place = { ...RUNS, market: 'en' } as const
  for (const [index, author] of AUTHORS.entries())
    publish(running, place, { author, body: `It crashes, says ${author}.`, rating: [2, 1, 3][index] ?? 1 })
  const reviews = await until('the reviews are stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data.length === AUTHORS.length && page.data
  })
  const of = (author: Author) => reviews.find((review) => review.author === author)?.fingerprint ?? ''
  return { seeded, of }
}

const replyOf = ({ ann }: SeededConsole, fingerprint: string) =>
  ann.fetchJson<ReplyRow>('GET', `/v1/reviews/${fingerprint}/reply`)

/** Counts what a person presses. */
function counting() {
  let clicks = 0
  return {
    count: () => clicks,
    press: async (what: Locator) => {
      clicks += 1
      await what.click()
    },
  }
}

test('a review is answered in the feed with three clicks, kept as a draft while typed, and can be undone', async () => {
  const { seeded, of } = await startConnected()
  await using _ = seeded
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  const { press, count } = counting()
  await page.goto('/')
  await press(page.getByRole('link', { name: 'Reviews', exact: true }))
  const card = page.getByRole('article', { name: 'Review by Ada' })
  await press(card.getByRole('button', { name: 'Answer', exact: true }))
  const field = card.getByLabel('Your answer')
  await field.waitFor()
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.type('Thank you, Ada.')
  await card.getByText('Draft saved').waitFor()
  await card.getByText('Draft answer').waitFor()
  assert.equal((await replyOf(seeded, of('Ada'))).draft, 'Thank you, Ada.')
  assert.deepEqual(await findings(page), [])
  await press(card.getByRole('button', { name: 'Publish' }))
  assert.ok(count() <= 4, `${count()} clicks`)
  await card.getByText('Sent in 30 seconds or less').waitFor()
  await card.getByText('Answer pending').waitFor()
  assert.deepEqual([new URL(page.url()).pathname], ['/reviews'])
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

test('the queue goes through what waits for an answer, the fewest stars first', async () => {
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
  const notice = page.getByText('The answer is sent in 30 seconds.')
  await notice.waitFor()
  assert.equal((await replyOf(seeded, of('Ben'))).state, 'pending')
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('Answer undone. Its text is kept as a draft.').waitFor()
  assert.deepEqual((await replyOf(seeded, of('Ben'))).draft, 'Sorry, Ben.')
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
  const send = async (template: string) => {
    for (const author of AUTHORS) {
      const card = page.getByRole('article', { name: `Review by ${author}` })
      await card.getByRole('checkbox', { name: /^Select review by/ }).check()
    }
    await page.getByRole('button', { name: 'Answer with a template' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: template }).click()
    return dialog
  }
  const dialog = await send('Long')
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
  const again = await send('Thanks')
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
