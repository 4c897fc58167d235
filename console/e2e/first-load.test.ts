import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { startPopulatedConsole } from './support/populated-console.ts'
import { NOTES, openAs } from './support/seeded-console.ts'

/** The reviews also have the script of their page in two files, the first reviews and their number. */
const LIMITS = {
  '/': { requests: 12, scriptBytes: 200 * 1_024 },
  '/reviews': { requests: 14, scriptBytes: 225 * 1_024 },
} as const
const COALESCED_MS = 3_000

test('overview and reviews load with few requests and little script, each at most its limit', async (t) => {
  await using populated = await startPopulatedConsole()
  const pages: readonly (readonly [keyof typeof LIMITS, (page: Page) => Promise<void>])[] = [
    ['/', (page) => page.getByRole('heading', { name: 'Reviews and deliveries' }).waitFor()],
    ['/reviews', (page) => page.getByRole('article').first().waitFor()],
  ]
  for (const [path, shown] of pages) {
    // A browser of its own: the second page finds nothing in a cache.
    await using visitor = await openAs(populated.running, populated.ann)
    const { page } = visitor
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(path)
    await shown(page)
    await until('the stream is open', () => requested.includes('/api/console/stream'))
    // The second wave: what the shown page asks for.
    await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => null)
    const unique = [...new Set(requested)]
    const resources = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
    )
    const bytes = resources
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    t.diagnostic(`${path}: ${unique.length} requests, ${bytes} bytes of script`)
    assert.ok(
      unique.length <= LIMITS[path].requests,
      `${path}: ${unique.length} requests: ${unique.join(' ')}`,
    )
    assert.ok(bytes > 50_000, `only ${bytes} bytes of script were seen`)
    assert.ok(bytes <= LIMITS[path].scriptBytes, `${path}: ${bytes} bytes of script`)
    assert.deepEqual(visitor.errors, [])
  }
})

test('the overview shows its figures after two round trips: the document, then scripts and data together', async () => {
  await using populated = await startPopulatedConsole()
  await using visitor = await openAs(populated.running, populated.ann)
  const { page } = visitor
  const document = (await populated.running.request('/')).text
  const files = [...document.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/assets\/[^"]+)"/g)]
  const expected = [...files.map(([, path]) => path ?? ''), '/api/console/session?with=overview']
  assert.ok(expected.length > 3, `only ${expected}`)
  const held = new Map<string, Route>()
  await page.route(
    ({ pathname }) => pathname !== '/' && !pathname.endsWith('.svg'),
    (route) => {
      held.set(route.request().url().slice(populated.running.url.length), route)
    },
  )
  await page.goto('/', { waitUntil: 'commit' })
  await until('all requests are sent', () => expected.every((path) => held.has(path))).catch(() => {
    assert.fail(`waits for an answer: ${expected.filter((path) => !held.has(path))}`)
  })
  assert.deepEqual([...held.keys()].sort(), [...expected].sort())
  // Requests that follow stay without an answer.
  for (const path of expected) await held.get(path)?.continue()
  await page.getByText('Reviews found', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Reviews and deliveries' }).waitFor()
})

test('a busy account reloads the page at most every three seconds, compressed', async () => {
  await using populated = await startPopulatedConsole()
  await using visitor = await openAs(populated.running, populated.ann)
  const { page } = visitor
  await page.goto('/')
  await page.getByRole('heading', { name: 'Reviews and deliveries' }).waitFor()
  const at: number[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/console/overview')) at.push(performance.now())
  })
  // About one review per second. Each changes several topics.
  for (let count = 0; at.length < 3; count += 1) {
    publish(populated.running, { ...NOTES, market: 'us' }, { body: `Number ${count}.` })
    await page.waitForRequest(/.*/, { timeout: 1_500 }).catch(() => null)
    assert.ok(count < 40, 'the page never updated')
  }
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  assert.ok(
    pauses.every((pause) => pause > 0.8 * COALESCED_MS),
    `${pauses}`,
  )
  const answer = await populated.running.request('/api/console/overview', {
    headers: { cookie: populated.ann.cookie(), 'accept-encoding': 'gzip' },
  })
  assert.equal(answer.headers.get('content-encoding'), 'gzip')
  assert.equal(answer.headers.get('vary'), 'accept-encoding')
})
