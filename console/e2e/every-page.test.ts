import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewsPage } from '../../src/contract/console/reviews.ts'
import { publish, publishOld } from '../../test/support/publish.ts'
import { seriousFindings } from './support/browser.ts'
import { NOTES, openAs, RUNS, startInhabited } from './support/inhabited.ts'

/** An account with some of everything: apps, reviews, a destination that works and one that does not. */
async function startLively() {
  const inhabited = await startInhabited()
  const { running, ann, receiver } = inhabited
  for (const app of [NOTES, RUNS]) {
    publishOld(running, { ...app, market: app.store === 'apple' ? 'us' : 'en' }, 5)
    await ann.told('PUT', `/apps/${app.store}/${app.appId}`, { storefronts: ['us', 'de'] })
  }
  const made = await inhabited.newDestination()
  await ann.told('POST', '/destinations', {
    targetUrl: 'http://127.0.0.1:9/closed',
    watch: { store: NOTES.store, appId: NOTES.appId, eventType: 'review.created', maxStars: 2 },
  })
  publish(
    running,
    { ...NOTES, market: 'us' },
    { rating: 1, body: 'It crashes all the time, please fix', publishedAt: new Date(Date.now() + 2_000) },
  )
  const [event] = await receiver.received(1)
  const { reviews } = await ann.told<ReviewsPage>('GET', '/reviews')
  return {
    ...inhabited,
    paths: [
      '/',
      '/getting-started',
      '/apps',
      '/apps/add',
      `/apps/${NOTES.store}/${NOTES.appId}`,
      '/reviews',
      `/reviews/${reviews[0]?.fingerprint}`,
      '/destinations',
      '/destinations/new',
      `/destinations/${made.id}`,
      '/deliveries',
      `/deliveries/${event?.headers['x-radar-event-id']}`,
      '/dead-letters',
      '/account',
      '/system',
    ],
    [Symbol.asyncDispose]: () => inhabited[Symbol.asyncDispose](),
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page in ${colorScheme} colours has no serious accessibility finding and no script error`, async () => {
    await using lively = await startLively()
    await using visitor = await openAs(lively.running, lively.ann, { colorScheme })
    const findings: string[] = []
    for (const path of lively.paths) {
      await visitor.page.goto(path)
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
      await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      findings.push(...(await seriousFindings(visitor.page)).map((finding) => `${path}: ${finding}`))
    }
    assert.deepEqual(findings, [])
    assert.deepEqual(visitor.complaints, [])
  })
}

test('every page fits a screen 360 pixels wide', async () => {
  await using lively = await startLively()
  await using visitor = await openAs(lively.running, lively.ann, { width: 360, height: 740 })
  const tooWide: string[] = []
  for (const path of lively.paths) {
    await visitor.page.goto(path)
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth)
    if (width > 360) tooWide.push(`${path} is ${width} pixels wide`)
  }
  assert.deepEqual(tooWide, [])
})

test('the first page loads less than 300 KB of compressed script', async () => {
  await using lively = await startLively()
  await using visitor = await openAs(lively.running, lively.ann)
  await visitor.page.goto('/')
  await visitor.page.getByRole('heading', { name: 'Found and delivered' }).waitFor()
  const bytes = await visitor.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  )
  assert.ok(bytes > 50_000, `only ${bytes} bytes of script were seen`)
  assert.ok(bytes < 300_000, `${bytes} bytes of script`)
})
