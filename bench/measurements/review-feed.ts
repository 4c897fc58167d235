import { newId } from '../../src/model/ids.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { ReviewFilter } from '../../src/storage/port/reports.ts'
import type { BenchEngine } from '../engines.ts'
import { median } from '../figures.ts'
import { fillReviews } from '../fill.ts'
import type { Bench, Measurement } from '../measurement.ts'

const APPS = Array.from({ length: 10 }, (_, index) => `org.example.app${index}`)
const PAGE = 50

/** From filters that match often to a text that never matches and requires reading all texts. */
const FILTERS: Readonly<Record<string, ReviewFilter>> = {
  none: {},
  app: { store: 'google', appId: APPS[3] },
  stars: { stars: [1, 2] },
  language: { language: 'de' },
  sentiment: { sentiment: 'negative' },
  severity: { severity: 'high' },
  theme: { theme: 'billing_payment' },
  bug: { bug: true },
  text: { text: 'second list' },
  text_nowhere: { text: 'nobody wrote this' },
  rare_severity_of_app: { store: 'google', appId: APPS[3], severity: 'high', theme: 'data_loss' },
}

/** The time of a page of the console's review feed by filter, with 100,000 reviews of ten apps. */
export const reviewFeed: Measurement = {
  name: 'review-feed',
  about: "time of a page of the console's reviews, by filter",
  async run(bench) {
    const reviews = bench.options.short ? 20_000 : 100_000
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      const accountId = await trackStorefronts(engine)
      await fillReviews(engine, reviews, APPS)
      for (const [filter, where] of Object.entries(FILTERS)) {
        const ms = await pageMs(bench, engine, accountId, where)
        bench.report({
          name: `review-feed.${name}.${filter}`,
          value: ms,
          unit: 'ms per page',
          note: `${reviews} reviews`,
        })
      }
    }
  },
}

async function trackStorefronts({ storage }: BenchEngine): Promise<string> {
  const accountId = newId('acc')
  const now = instantOf(Date.now())
  await storage.accounts.create({ id: accountId, name: 'Bench', createdAt: now })
  for (const appId of APPS)
    await storage.hooks.trackStorefronts(accountId, { store: 'google', appId }, ['us'], now)
  return accountId
}

async function pageMs(
  bench: Bench,
  engine: BenchEngine,
  accountId: string,
  where: ReviewFilter,
): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < (bench.options.short ? 5 : 15); time++) {
    const startedMs = performance.now()
    await engine.storage.reports.reviews(accountId, where, { limit: PAGE, before: null })
    times.push(performance.now() - startedMs)
  }
  return median(times)
}
