import { DEFAULT_HOOK_OPTIONS } from '../../src/model/hook-options.ts'
import { newHookId, newId } from '../../src/model/ids.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { ReviewCursor, ReviewFilter, ReviewPage } from '../../src/storage/port/reports.ts'
import type { BenchEngine } from '../engines.ts'
import { atMost, quantile } from '../figures.ts'
import { fillDeliveries, fillEnrichments, fillReviews } from '../fill.ts'
import type { Bench, Measurement } from '../measurement.ts'

const APPS = Array.from({ length: 20 }, (_, index) => `org.example.app${index}`)
const PAGE = 50
const P95_MS_MAX = 50

/** Filters with an index. `review-feed` measures text searches, which have none. */
const FILTERS: readonly ReviewFilter[] = [
  {},
  { store: 'google', appId: APPS[3] },
  { stars: [1, 2] },
  { sentiment: 'negative', theme: 'sync' },
  { request: true },
]

/** The time in which storage reads pages of the REST API for one account. */
export const readApi: Measurement = {
  name: 'read-api',
  about: 'p95 of pages of the REST API, with a million reviews',
  async run(bench) {
    const rows = bench.options.short ? 20_000 : 1_000_000
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      const accountId = await setUp(engine)
      await fillReviews(engine, rows, APPS)
      await fillEnrichments(engine)
      for (const [read, times] of Object.entries(await readAll(bench, engine, accountId))) {
        const value = quantile(times, 0.95)
        bench.report({
          name: `read-api.${name}.${read}`,
          value,
          unit: 'ms, p95',
          note: `${rows} reviews`,
          target: atMost(value, P95_MS_MAX),
        })
      }
    }
  },
}

async function setUp(engine: BenchEngine): Promise<string> {
  const { storage } = engine
  const accountId = newId('acc')
  const createdAt = instantOf(Date.now())
  await storage.accounts.create({ id: accountId, name: 'Bench', createdAt })
  for (const appId of APPS) {
    await storage.hooks.trackStorefronts(accountId, { store: 'google', appId }, ['us'], createdAt)
  }
  const hook = {
    id: newHookId('api'),
    accountId,
    source: 'api',
    targetType: 'webhook',
    targetUrl: 'https://example.com/',
    targetSettings: null,
    name: null,
    description: null,
    externalRef: null,
    status: 'active',
    secrets: [{ sealed: 'sealed', expiresAt: null }],
    ratePerSecond: null,
    ...DEFAULT_HOOK_OPTIONS,
    messageSchedule: null,
    unsubscribed: [],
    createdAt,
  } as const
  await storage.hooks.create(hook, [])
  await fillDeliveries(engine, [hook], 100_000)
  return accountId
}

async function readAll(
  bench: Bench,
  { storage }: BenchEngine,
  accountId: string,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {}
  const time = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const answer = await read()
    times[name] = [...(times[name] ?? []), performance.now() - startedMs]
    return answer
  }
  for (let round = 0; round < (bench.options.short ? 4 : 20); round += 1) {
    for (const filter of FILTERS) {
      let before: ReviewCursor | null = null
      // The first page and two pages after a cursor.
      for (let page = 0; page < 3; page += 1) {
        const from: ReviewCursor | null = before
        const found: ReviewPage = await time('reviews', () =>
          storage.reports.reviews(accountId, filter, { limit: PAGE, before: from }),
        )
        before = found.next
      }
    }
    const middle = new Date(Date.now() - (round + 1) * 24 * 3_600_000)
    await time('reviews_of_a_day', () =>
      storage.reports.reviews(accountId, { until: middle }, { limit: PAGE, before: null }),
    )
    const { reviews } = await storage.reports.reviews(accountId, {}, { limit: 1, before: null })
    await time('review', () => storage.reports.review(accountId, reviews[0]?.fingerprint ?? ''))
    await time('deliveries', () => storage.deliveries.list(accountId, {}, { limit: PAGE, before: null }))
    await time('events', () =>
      storage.deliveries.eventsAfter(accountId, {}, { limit: PAGE, after: round * 1_000 }),
    )
    await time('ratings', () =>
      storage.statistics.ratings(
        accountId,
        { store: 'google', appId: APPS[0] ?? '' },
        {},
        { limit: PAGE, before: null },
      ),
    )
  }
  return times
}
