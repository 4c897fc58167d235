import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import type { StoreConnectionView } from '../../src/contract/v1/store-connections.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { appleBody } from '../../test/support/connect-store.ts'
import { asksForDraft, labelAll, startModelServer } from '../../test/support/model-server.ts'
import { publish } from '../../test/support/publish.ts'
import { addApp } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startConnected } from './support/connected-reviews.ts'
import { NOTES, openAs, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

/** Publishes, and lets the time for an undo pass. */
async function publishFrom({ running }: SeededConsole, card: Locator): Promise<void> {
  await card.getByRole('button', { name: 'Publish' }).click()
  await card.getByText('Sent in 30 seconds or less').waitFor()
  running.clock.leap(31_000)
}

/** Connects the app with this role and returns the fingerprint of a new review. */
async function connectedReview({ running, ann }: SeededConsole, role: 'ADMIN' | 'CUSTOMER_SUPPORT') {
  const place = { store: 'apple', appId: NOTES.appId, market: 'us' } as const
  await ann.fetchJson('PUT', `/v1/tracked-apps/apple/${NOTES.appId}`, { countries: ['us'] })
  const body = appleBody(createAppleKey(running.world, { role }))
  const { id } = await ann.fetchJson<StoreConnectionView>('POST', '/v1/store-connections', body)
  await ann.fetchJson('PUT', `/v1/store-connections/${id}/apps/${NOTES.appId}`)
  publish(running, place, {
    author: 'Mia',
    title: 'Crashes',
    body: 'It crashes when I open a note.',
    rating: 2,
  })
  return until('the review is stored', async () => {
    const { data: reviews } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return reviews.find(({ source }) => source === 'appstoreconnect')?.fingerprint
  })
}

test('a review is answered from its page: draft, publish, follow, edit and delete', async () => {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const fingerprint = await connectedReview(seeded, 'ADMIN')
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  const card = page.getByRole('region', { name: 'Answer' })
  const field = card.getByLabel('Your answer')
  await field.fill('Thank you, Mia. Version 2.1 fixes the crash.')
  await card.getByText('44 of 5,970 characters').waitFor()
  await card.getByText('Draft saved').waitFor()
  await page.reload()
  assert.equal(await field.inputValue(), 'Thank you, Mia. Version 2.1 fixes the crash.')
  await publishFrom(seeded, card)
  await card.getByText('Accepted, not shown yet').waitFor()
  seeded.running.clock.leap(6 * 60_000)
  await card.getByText('Published', { exact: true }).waitFor()
  await card.getByText('In the store').waitFor()
  assert.deepEqual(await findings(page), [])
  assert.equal(await page.getByRole('button', { name: 'Draft an answer' }).count(), 0, 'without a model')
  await card.getByRole('button', { name: 'Edit answer' }).click()
  await field.fill('Fixed in 2.2.')
  await publishFrom(seeded, card)
  await card.getByText('Will be published').waitFor()
  await card.getByText('Accepted, not shown yet').waitFor()
  seeded.running.clock.leap(6 * 60_000)
  await card.getByText('Published', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Delete answer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await card.getByText('Deleted', { exact: true }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('templates are managed, and inserted with the values of the review, those in its language first', async () => {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const fingerprint = await connectedReview(seeded, 'ADMIN')
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/stores')
  const section = page.getByRole('region', { name: 'Answer templates' }).first()
  await section.getByText('No templates yet.').waitFor()
  const dialog = page.getByRole('dialog')
  const add = async (name: string, text: string, language: string | null) => {
    await section.getByRole('button', { name: 'New template' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Text').fill(text)
    if (language !== null) {
      await dialog.getByRole('combobox', { name: 'Language' }).fill(language)
      await page.getByRole('option', { name: language, exact: true }).click()
    }
    await dialog.getByRole('button', { name: 'Save template' }).click()
  }
  await add('Dank', 'Danke, {{name}}!', 'German')
  await dialog
    .getByText('Has the unknown placeholder {{name}}; allowed are {{author}} and {{app_name}}.')
    .waitFor()
  assert.deepEqual(await findings(page), [])
  await dialog.getByLabel('Text').fill('Danke, {{author}}!')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await section.getByRole('cell', { name: 'German' }).waitFor()
  await add('Dank', 'Again', null)
  await dialog.getByText('Must be unique: the account has another template named “Dank”.').waitFor()
  assert.equal(await dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await add('Sorry', 'Sorry, {{author}}. {{app_name}} will be better.', null)
  await section.getByRole('cell', { name: 'Any', exact: true }).waitFor()
  await add('Crash', 'We are fixing this crash, {{author}}.', 'English')
  await section.getByRole('cell', { name: 'English' }).waitFor()
  await section.getByRole('button', { name: 'Edit Dank' }).click()
  await dialog.getByLabel('Name').fill('Danke')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await section.getByRole('button', { name: 'Delete Danke' }).waitFor()
  assert.deepEqual(await findings(page), [])

  await page.goto(`/reviews/${fingerprint}`)
  const card = page.getByRole('region', { name: 'Answer' })
  await card.getByText('The review is in English.').waitFor()
  await card.getByRole('button', { name: 'Insert template' }).click()
  const items = page.getByRole('menuitem')
  await items.first().waitFor()
  assert.deepEqual(
    (await items.allInnerTexts()).map((text) => text.split('\n')[0]),
    ['Crash', 'Sorry', 'Danke', 'Manage templates'],
  )
  assert.deepEqual(await findings(page), [])
  await items.first().click()
  const field = card.getByLabel('Your answer')
  assert.equal(await field.inputValue(), 'We are fixing this crash, Mia.')
  await field.press('End')
  await field.pressSequentially(' ')
  await card.getByRole('button', { name: 'Insert template' }).click()
  await items.nth(1).click()
  assert.equal(
    await field.inputValue(),
    `We are fixing this crash, Mia. Sorry, Mia. ${NOTES.name} will be better.`,
  )
  await field.fill('Hello. Bye.')
  await field.press('Home')
  for (let step = 0; step < 'Hello. '.length; step += 1) await field.press('ArrowRight')
  await card.getByRole('button', { name: 'Insert template' }).click()
  await items.first().click()
  await field.pressSequentially('Sorry! ')
  assert.equal(await field.inputValue(), 'Hello. We are fixing this crash, Mia.Sorry! Bye.')
  await field.fill('A saved draft.')
  await card.getByText('Draft saved').waitFor()
  await page.reload()
  await card.getByRole('button', { name: 'Insert template' }).click()
  await items.first().click()
  assert.equal(await field.inputValue(), 'A saved draft.\nWe are fixing this crash, Mia.')
  await page.goto('/stores')
  await section.getByRole('button', { name: 'Delete Danke' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await section.getByRole('cell', { name: 'German' }).waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})

test('a model drafts an answer, which the person changes and publishes', async () => {
  let reply = 'Thank you for the report. Which phone do you use?'
  const first = Promise.withResolvers<void>()
  await using model = await startModelServer(async (request, response, count) => {
    if (!asksForDraft(request)) return labelAll(request, response, count)
    await first.promise
    return JSON.stringify({ reply })
  })
  await using seeded = await startSeededConsole({
    RADAR_OFFICIAL_POLL_INTERVAL: '100ms',
    RADAR_ENRICHMENT: 'llm',
    RADAR_LLM_URL: model.url,
    RADAR_LLM_MODEL: 'test-model',
  })
  const fingerprint = await connectedReview(seeded, 'ADMIN')
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  const card = page.getByRole('region', { name: 'Answer' })
  const field = card.getByLabel('Your answer')
  const button = card.getByRole('button', { name: 'Draft an answer' })
  await field.fill('Hello, Mia.')
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await until('the model was asked', () => model.requests.some(asksForDraft))
  for (const name of ['Insert template', 'Publish'])
    await card.getByRole('button', { name, disabled: true }).waitFor()
  first.resolve()
  await card.getByText('Written by a model. Check it before you publish.').waitFor()
  assert.equal(await field.inputValue(), reply)
  assert.deepEqual(await findings(page), [])
  reply = 'See https://evil.example.'
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await card.getByText(/The model’s draft was rejected: it had a link/).waitFor()
  assert.equal(await field.inputValue(), 'Thank you for the report. Which phone do you use?')
  await page.mouse.move(0, 0)
  assert.deepEqual(await findings(page), [])
  await field.fill('Thank you, Mia. Which phone do you use?')
  await publishFrom(seeded, card)
  await card.getByText('Accepted, not shown yet').waitFor()
})

test('a refused answer shows the reason and keeps the text', async () => {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const fingerprint = await connectedReview(seeded, 'CUSTOMER_SUPPORT')
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  const card = page.getByRole('region', { name: 'Answer' })
  await card.getByLabel('Your answer').fill('Thank you!')
  await publishFrom(seeded, card)
  await card.getByText('Refused', { exact: true }).waitFor()
  await card.getByRole('alert').waitFor()
  assert.equal(await card.getByLabel('Your answer').inputValue(), 'Thank you!')
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})

test('an answer above the quota of Google Play is pending, and shows its next attempt', async () => {
  const { seeded: opened, of } = await startConnected({ RADAR_GOOGLE_PLAY_REPLIES_PER_DAY: '1' })
  await using seeded = opened
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const card = page.getByRole('region', { name: 'Answer' })
  for (const author of ['Ada', 'Ben'] as const) {
    await page.goto(`/reviews/${of(author)}`)
    await card.getByLabel('Your answer').fill('Thank you! Version 2.1 fixes the crash.')
    await publishFrom(seeded, card)
    await card.getByText(/^(Published|Pending)$/).waitFor()
  }
  await card.getByText('Pending', { exact: true }).waitFor()
  await page.getByText('Enriched by the offline engine').waitFor()
  await card.getByText("The app has reached the store's limit of answers a day (1).").waitFor()
  await card.getByText(/^Next attempt /).waitFor()
  assert.deepEqual(await findings(page), [])
  running.clock.leap(24 * 3_600_000)
  await card.getByText('Published', { exact: true }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('the answer on a public page is shown as plain text', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const app = { store: 'google', appId: 'com.example.larkspur', name: 'Larkspur Notes' } as const
  addApp(running.world, app)
  const review = publish(running, { ...app, market: 'en' }, { rating: 2, body: 'It crashes.' })
  const text = 'Fixed in 2.1.\n<img src=x onerror="window.hacked=1"> <b>Thanks</b>'
  const writtenAt = running.clock.now()
  running.world.official.setReply({ ...app, reviewId: review.id }, { id: 'r', text, writtenAt })
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${app.appId}`, { countries: ['us'] })
  const fingerprint = await until('the review is stored', async () => {
    const { data: reviews } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return reviews.find(({ public_reply }) => public_reply !== null)?.fingerprint
  })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  const section = page.getByRole('region', { name: 'On the public page' })
  await section.getByText('<b>Thanks</b>').waitFor()
  await section.getByText(/^Answered/).waitFor()
  assert.equal(await page.evaluate(() => 'hacked' in window), false)
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})

test('an owner erases a review from its page after a question', async () => {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const fingerprint = await connectedReview(seeded, 'ADMIN')
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  await page.getByRole('button', { name: 'Erase review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase this review for good?' })
  await dialog.getByText(/cannot be undone/).waitFor()
  await dialog.getByRole('button', { name: 'Erase review' }).click()
  await page.getByText('Review erased.').waitFor()
  assert.equal((await seeded.ann.request('GET', `/v1/reviews/${fingerprint}`)).status, 404)
  assert.deepEqual(visitor.errors, [])
})
