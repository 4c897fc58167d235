import { newId } from '../../src/model/ids.ts'
import { appOperations } from '../../src/operations/apps/apps.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { BenchEngine } from '../engines.ts'
import { median } from '../figures.ts'
import { fillEnrichments, fillReviews } from '../fill.ts'
import type { Measurement } from '../measurement.ts'

const APP = { store: 'google', appId: 'org.example.app0' } as const
const DAYS = [7, 30, 90, 365] as const
/** The longest range and the previous period. */
const SPAN_MS = 2 * 365 * 24 * 3_600_000

/** The time to compute the figures of an app's page with 100,000 reviews in two years. */
export const appPage: Measurement = {
  name: 'app-page',
  about: "time to compute the figures of an app's page, by range",
  async run(bench) {
    const reviews = bench.options.short ? 20_000 : 100_000
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      const accountId = newId('acc')
      await engine.storage.accounts.create({ id: accountId, name: 'Bench', createdAt: instantOf(Date.now()) })
      await engine.storage.hooks.trackStorefronts(accountId, APP, ['us'], instantOf(Date.now()))
      await fillReviews(engine, reviews, [APP.appId], SPAN_MS / reviews)
      await fillEnrichments(engine)
      for (const days of DAYS) {
        bench.report({
          name: `app-page.${name}.${days}_days`,
          value: await pageMs(engine, accountId, days, bench.options.short ? 5 : 15),
          unit: 'ms',
          note: `${reviews} reviews`,
        })
      }
    }
  },
}

async function pageMs(
  { storage }: BenchEngine,
  accountId: string,
  days: number,
  times: number,
): Promise<number> {
  const { reports, hooks, feeds } = storage
  const unlimited = {
    appSearch: () => {},
    counts: { hooks: Number.MAX_SAFE_INTEGER, storefronts: Number.MAX_SAFE_INTEGER },
  }
  const apps = appOperations({
    stores: [],
    reports,
    hooks,
    feeds,
    limits: unlimited as never,
    clock: systemClock,
    wake: () => {},
  })
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const startedMs = performance.now()
    await apps.get(accountId, APP, days, 'Europe/Berlin')
    took.push(performance.now() - startedMs)
  }
  return median(took)
}
