import type { Store } from '../../src/model/vocabulary.ts'
import { createApple } from '../../src/pipeline/appstores/apple/apple.ts'
import type { AppStore } from '../../src/pipeline/appstores/appstore.ts'
import { createGoogle } from '../../src/pipeline/appstores/google/google.ts'
import { relaxedPlan } from '../../src/pipeline/collect/poll-plan.ts'
import { pollReviews } from '../../src/pipeline/collect/poll-reviews.ts'
import { POLL_SETTINGS } from '../../src/pipeline/collect/schedule.ts'
import { createStoreSources } from '../../src/pipeline/collect/store-sources.ts'
import { detectReviews } from '../../src/pipeline/detect/detect-reviews.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Egress } from '../../src/runtime/egress/egress.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { later } from '../../src/runtime/instant.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld } from '../../src/simulate/world.ts'
import { silentMeter } from '../../test/support/silent-meter.ts'
import type { BenchEngine } from '../engines.ts'
import { claimReviewFeeds } from '../feeds.ts'
import { median } from '../figures.ts'
import { createHooks } from '../hooks.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { reviewOf } from '../reviews.ts'

/** Reviews of one app, which fill ten pages of Apple's feed and fewer of Google's. */
const PER_APP = 500
const RECORDED: Record<Store, string> = { apple: '9100000000', google: 'org.example.recorded' }

/**
 * Throughput of parsing, deduplication and commit of pages in a store's real format, first with new reviews, then with the same reviews
 * again. The reference parses the same texts with `JSON.parse` only.
 */
export const detection: Measurement = {
  name: 'detection',
  about:
    'reviews per second through parsing, deduplication and commit, relative to JSON.parse of the same pages',
  async run(bench) {
    for (const store of ['apple', 'google'] as const) {
      const pages = await recordPages(store)
      for (const name of bench.options.engines) {
        const engine = await bench.engine(name)
        await compare(bench, engine, store, pages)
      }
    }
  },
}

/** Answers by request, with a placeholder for the app's id. */
type Pages = ReadonlyMap<string, Awaited<ReturnType<Egress['request']>>>

async function compare(bench: Bench, engine: BenchEngine, store: Store, pages: Pages): Promise<void> {
  const rounds = bench.options.short ? 3 : 9
  const appsPerRound = bench.options.short ? 4 : 10
  const poll = poller(engine, store, replaying(pages))
  const alone: number[] = []
  const fresh: number[] = []
  const known: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const parsed = parseOnly(pages, appsPerRound)
    await createHooks(
      engine.storage,
      appIds(store, round, appsPerRound).map((appId) => plan(store, appId)),
    )
    const first = await poll(appsPerRound)
    const second = await poll(appsPerRound)
    // The first round warms up.
    if (round === 0) continue
    alone.push(parsed)
    fresh.push(first)
    known.push(second)
  }
  const of = `detection.${engine.name}.${store}`
  const bytes = [...pages.values()].reduce(
    (sum, page) => sum + (page.kind === 'answered' ? page.body.length : 0),
    0,
  )
  const note = `${PER_APP} reviews in ${pages.size} pages, ${Math.round(bytes / 1024)} KiB`
  bench.report({ name: `${of}.json_parse`, value: median(alone), unit: 'reviews/s', note })
  bench.report({ name: `${of}.new`, value: median(fresh), unit: 'reviews/s' })
  bench.report({ name: `${of}.new_ratio`, value: median(fresh) / median(alone), unit: 'of JSON.parse' })
  bench.report({ name: `${of}.known`, value: median(known), unit: 'reviews/s' })
}

function appIds(store: Store, round: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    store === 'apple' ? String(9_200_000_000 + round * 1000 + index) : `org.example.r${round}.a${index}`,
  )
}

function plan(store: Store, appId: string) {
  return { store, appId, targetUrl: 'http://127.0.0.1:9/hook' }
}

/** Returns a function that polls `count` due feeds and returns reviews per second. */
function poller(engine: BenchEngine, store: Store, egress: Egress) {
  const appStore = storeOf(store, egress)
  const { storage } = engine
  const free = {
    pace: async () => true,
    blockedUntil: async () => null,
    block: async () => new Date(),
    answered: async () => {},
  }
  const deps = {
    appStore,
    storage,
    detect: detectReviews,
    pace: free,
    clock: systemClock,
    random: () => 0.5,
    log: silentLog,
    meter: silentMeter,
    onOccurrences: () => {},
    plan: async () => relaxedPlan(POLL_SETTINGS.reviews),
    storeSources: createStoreSources(
      { clock: systemClock, log: silentLog, meter: silentMeter, storage: storage.sourceHealth },
      appStore,
    ),
  }
  const poll = { ...POLL_SETTINGS.reviews, fixedIntervalMs: 1 }
  return async (count: number): Promise<number> => {
    const feeds = await claimReviewFeeds(storage, store, count, later(systemClock.now(), 60_000))
    const startedMs = performance.now()
    for (const feed of feeds) {
      // Marks the feed as incomplete, so that all its pages are requested even if their reviews are known.
      const incompleteFeed = { ...feed, pagingIncomplete: true }
      await pollReviews(
        deps,
        { poll, leaseMs: 600_000, enrichWaitMs: null },
        incompleteFeed,
        new AbortController().signal,
      )
    }
    return (feeds.length * PER_APP * 1000) / (performance.now() - startedMs)
  }
}

function storeOf(store: Store, egress: Egress, url = 'http://127.0.0.1:9'): AppStore {
  return store === 'apple'
    ? createApple({ egress, itunesUrl: url, webUrl: url, log: silentLog })
    : createGoogle({ egress, playUrl: url })
}

/** Records the simulated store's answers for all pages of one app. */
async function recordPages(store: Store): Promise<Pages> {
  const world = createWorld()
  const appId = RECORDED[store]
  const market = store === 'apple' ? 'us' : 'en'
  world.addApp({ store, appId, name: 'An App', developer: 'A Developer', iconUrl: null })
  // Later than the hooks, so that every review becomes an occurrence.
  const from = Date.now() + 3_600_000
  for (let number = 0; number < PER_APP; number++) {
    const { reviewId: _, ...review } = reviewOf(
      { store, appId, market },
      number,
      new Date(from + number * 1000),
    )
    const id =
      store === 'apple'
        ? String(12_000_000_000 + number)
        : `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    world.addReview(
      { store, appId, market },
      { ...review, id, version: review.appVersion, publishedAt: review.shownAt },
    )
  }
  await using simulation = await startSimulation({
    host: '127.0.0.1',
    world,
    clock: systemClock,
    log: silentLog,
  })
  await using egress = openEgress({ guard: null, userAgent: 'bench' })
  const pages = new Map<string, Awaited<ReturnType<Egress['request']>>>()
  const recording: Egress = {
    request: async (request) => {
      const answer = await egress.request(request)
      pages.set(keyOf(request), answer)
      return answer
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const client = storeOf(store, recording, store === 'apple' ? simulation.appleUrl : simulation.googleUrl)
  let cursor: string | null = null
  do {
    const page = await client.reviewsPage(
      { appId, market, cursor },
      async () => true,
      new AbortController().signal,
    )
    cursor = page.kind === 'ok' ? page.next : null
  } while (cursor !== null)
  return pages
}

function keyOf({ url, body }: Parameters<Egress['request']>[0]): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search} ${body ?? ''}`.replaceAll(/9[12]\d{8}|org\.example\.[\w.]+/g, 'APP')
}

function replaying(pages: Pages): Egress {
  return {
    request: async (request) => {
      const answer = pages.get(keyOf(request))
      if (answer === undefined) throw new Error(`no recorded answer for ${keyOf(request)}`)
      return answer
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Reviews per second with `JSON.parse` only. Google's answer is JSON within JSON after a prefix line. */
function parseOnly(pages: Pages, times: number): number {
  const texts = [...pages.values()].map((page) =>
    page.kind === 'answered' ? page.body.toString('utf8') : '',
  )
  const startedMs = performance.now()
  for (let time = 0; time < times; time++) for (const text of texts) parseWhole(text)
  return (times * PER_APP * 1000) / (performance.now() - startedMs)
}

function parseWhole(text: string): void {
  if (!text.startsWith(')]}')) return void JSON.parse(text)
  const rows = JSON.parse(text.slice(text.indexOf('[')))
  JSON.parse(rows[0][2])
}
