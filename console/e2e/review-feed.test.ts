import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { asksForTranslation, labelAll, startModelServer } from '../../test/support/model-server.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { startFeed, US } from './support/review-feed.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('a badge filters the feed and its count, and a saved view restores the filter', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByRole('status').getByText('5 reviews').waitFor()
  const first = page.getByRole('article').first()
  const store = first.getByRole('link', { name: 'View in App Store' })
  assert.equal(
    await store.getAttribute('href'),
    `https://apps.apple.com/us/app/id${NOTES.appId}?see-all=reviews`,
  )
  await first.getByRole('link', { name: 'Crashes' }).click()
  await page.getByRole('status').getByText('1 review').waitFor()
  assert.match(page.url(), /\?theme=stability_crash$/)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters' }).click()
  await page.getByLabel('Name').fill('Crashes')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.goto('/reviews')
  await page.getByRole('status').getByText('5 reviews').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Version' }).click()
  await page.getByRole('option', { name: '2.0 (1)' }).click()
  await page.getByRole('status').getByText('1 review').waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Crashes Saved by Ann' }).click()
  await until('the view is shown', () => page.url().endsWith('?theme=stability_crash'))
  assert.deepEqual(visitor.errors, [])
})

test('a button announces new reviews, and the list does not move until it is clicked', async () => {
  await using seeded = await startFeed()
  const { running } = seeded
  await using visitor = await openAs(running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByRole('status').getByText('5 reviews').waitFor()
  for (const body of ['A first new one.', 'A second new one.']) publish(running, US, { body })
  const button = page.getByRole('button', { name: '2 new reviews' })
  await button.waitFor()
  assert.equal(await page.getByRole('article').count(), 5)
  await button.click()
  await page.getByText('A second new one.').waitFor()
  const reviews = page.getByRole('feed', { name: 'Reviews' }).getByRole('article')
  assert.equal(await reviews.count(), 7)
  const last = reviews.last()
  assert.deepEqual(
    [await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')],
    ['7', '7'],
  )
  await page.getByRole('status').getByText('7 reviews').waitFor()
  assert.equal(await button.count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('shortcuts move between reviews, show their list and open the palette', async () => {
  await using seeded = await startFeed()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByRole('article').nth(4).waitFor()
  const focused = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('article')].indexOf(document.activeElement as HTMLElement),
    )
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  assert.equal(await focused(), 1)
  await page.keyboard.press('k')
  assert.equal(await focused(), 0)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next review').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Go to' }).fill('larks')
  await page.getByRole('dialog').getByText('Larkspur Notes').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Larkspur Notes' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('a model translates a review that is not English, on request', async () => {
  let text: string | null = null
  await using model = await startModelServer((request, response, count) => {
    if (!asksForTranslation(request)) return labelAll(request, response, count)
    if (text !== null) return JSON.stringify({ title: 'Crash', text })
    response.statusCode = 500
    response.end('{}')
    return null
  })
  await using seeded = await startSeededConsole({
    RADAR_ENRICHMENT: 'llm',
    RADAR_LLM_URL: model.url,
    RADAR_LLM_MODEL: 'test-model',
  })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['de'] })
  publish(
    running,
    { ...NOTES, market: 'de' },
    { title: 'Absturz', body: 'Die App stürzt seit dem Update beim Öffnen sofort ab. Bitte beheben.' },
  )
  await until('the review is enriched', async () => {
    const { data: reviews } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return reviews.some(({ enrichment }) => enrichment?.language === 'de')
  })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  const translate = page.getByRole('button', { name: 'Translate to English' })
  await translate.click()
  await page.getByRole('alert').getByText('The model server failed. Try again.').waitFor()
  text = 'The app has crashed since the update.'
  await translate.click()
  const translation = page.getByRole('region', { name: 'Translation' })
  await translation.getByText('The app has crashed since the update.').waitFor()
  await page.getByText('Die App stürzt seit dem Update').waitFor()
  assert.deepEqual(await findings(page), [])
})
