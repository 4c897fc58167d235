import { execFileSync } from 'node:child_process'
import { instantOf } from '../../src/runtime/instant.ts'
import type { LeasedFeed } from '../../src/storage/port/feeds.ts'
import type { BenchEngine } from '../engines.ts'
import { claimReviewFeeds } from '../feeds.ts'
import { atMost, median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { reviewOf } from '../reviews.ts'

/** Reviews per feed, as for a large app on Google Play. */
const PER_FEED = 100_000
const PAGE = 50
/** The target is "flat within 20 %". */
const FLAT = 1.2
const BYTES_MAX = 64

/** The cost of storing every seen review forever: bytes on disk, and the time per page by the number of seen reviews. */
export const seen: Measurement = {
  name: 'seen',
  about: 'bytes per seen review, and time to store a page of 50 by the number of seen reviews',
  async run(bench) {
    const sizes = bench.options.short ? [300_000] : [1_000_000, 10_000_000]
    for (const name of bench.options.engines) {
      const few = await bench.engine(name)
      await fillFeed(few, 1)
      const many = await bench.engine(name)
      let filled = 0
      for (const size of sizes) {
        bench.log(`  ${name}: filling up to ${size} seen reviews`)
        for (; filled < size; filled += PER_FEED) await fillFeed(many, filled / PER_FEED + 1)
        await many.sql(name === 'sqlite' ? 'pragma wal_checkpoint(truncate)' : 'checkpoint')
        // Otherwise pending writes would slow down the measured pages.
        execFileSync('sync')
        reportFigures(bench, `seen.${name}.${size}`, await alternatePages(bench, few, many))
      }
      const bytes = (await tableBytes(many)) / filled
      const target = name === 'sqlite' ? atMost(bytes, BYTES_MAX) : undefined
      bench.report({ name: `seen.${name}.bytes`, value: bytes, unit: 'bytes per review', target })
    }
  },
}

/** Adds one feed with its reviews, whose keys are in random order. */
async function fillFeed(engine: BenchEngine, number: number): Promise<void> {
  const key = engine.name === 'sqlite' ? 'randomblob(16)' : 'gen_random_uuid()'
  await engine.sql(`insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
    values ('google', 'bench${number}', 'reviews', 'en', ${number}, 3600000)`)
  await engine.sql(`insert into seen (feed_id, review_key)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${PER_FEED})
    select (select id from feeds where app_id = 'bench${number}'), ${key} from n`)
}

/** Milliseconds of a page with few and with many seen reviews. */
type Times = { readonly few: number; readonly many: number }

/** Medians for pages of new reviews. Alternates between both databases, because the speed of machines varies. */
async function alternatePages(bench: Bench, few: BenchEngine, many: BenchEngine): Promise<Times> {
  const times = { few: [] as number[], many: [] as number[] }
  const pages = bench.options.short ? 100 : 400
  for (let page = 0; page < pages; page++) {
    times.few.push(await pageMs(few, page))
    times.many.push(await pageMs(many, page))
  }
  return { few: median(times.few), many: median(times.many) }
}

async function pageMs(engine: BenchEngine, page: number): Promise<number> {
  const [feed] = await claimReviewFeeds(engine.storage, 'google', 1)
  if (feed === undefined) throw new Error('no feed is due')
  return storePage(engine, feed, page * PAGE)
}

/** Like a poll, reads the known reviews of a page (none) and commits all of them. Returns the time in milliseconds. */
async function storePage({ storage }: BenchEngine, feed: LeasedFeed, from: number): Promise<number> {
  const now = instantOf(Date.now())
  const reviews = Array.from({ length: PAGE }, (_, index) =>
    reviewOf(feed, now.getTime() * 1000 + from + index, now),
  )
  const fingerprints = reviews.map(({ fingerprint }) => fingerprint)
  const poll = { feedId: feed.id, lease: feed.lease, polledAt: now, outcome: 'ok' as const, source: 'bench' }
  const startedMs = performance.now()
  const known = await storage.feeds.known(feed.id, fingerprints)
  const written = await storage.feeds.commitReviews(
    { ...poll, detail: null, raw: null },
    reviews,
    false,
    { readyAt: now, enrich: false },
    () => ({
      seen: reviews,
      toStore: [],
      occurrences: [],
      nextPollAt: now,
      intervalMs: 60_000,
      reviewsPerDay: null,
    }),
  )
  const tookMs = performance.now() - startedMs
  if (known.size > 0 || !written) throw new Error('a page was not new')
  return tookMs
}

async function tableBytes(engine: BenchEngine): Promise<number> {
  const [row] = await engine.sql(
    engine.name === 'sqlite'
      ? `select sum(pgsize) as bytes from dbstat where name = 'seen'`
      : `select pg_total_relation_size('seen') as bytes`,
  )
  return Number(row?.bytes)
}

function reportFigures(bench: Bench, name: string, { few, many }: Times): void {
  const growth = many / few
  const note = `${growth.toFixed(2)} times the ${few.toFixed(2)} ms with ${PER_FEED} seen reviews`
  bench.report({ name, value: many, unit: 'ms per page', note, target: atMost(growth, FLAT) })
}
