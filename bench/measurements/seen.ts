import type { LeasedFeed } from '../../src/storage/port/feeds.ts'
import type { BenchEngine, EngineName } from '../engines.ts'
import { claimReviewFeeds } from '../feeds.ts'
import { atMost, median } from '../figures.ts'
import type { Bench, Measurement } from '../measurement.ts'
import { reviewOf } from '../reviews.ts'

/** Reviews of one feed: Google serves them by the hundred thousand, and keys spread over all of a feed's pages. */
const PER_FEED = 100_000
const PAGE = 50
/** Chosen: aims say "flat within 20 %". */
const FLAT = 1.2
const BYTES_MAX = 64

/** What it costs to know every review for ever: bytes on disk, and the time of a page however many are known. */
export const seen: Measurement = {
  name: 'seen',
  about: 'bytes of a seen review, and insert-or-known of a page of 50 as their number grows',
  async run(bench) {
    const sizes = bench.options.short ? [100_000, 300_000] : [100_000, 1_000_000, 10_000_000]
    for (const name of bench.options.engines) {
      const engine = await bench.engine(name)
      const times = new Map<number, number>()
      let filled = 0
      for (const size of sizes) {
        bench.say(`  ${name}: filling up to ${size} seen reviews`)
        for (; filled < size; filled += PER_FEED) await fillFeed(engine, filled / PER_FEED + 1)
        if (name === 'sqlite') await engine.sql('pragma wal_checkpoint(truncate)')
        times.set(size, await pageMs(bench, engine))
      }
      tell(bench, name, times, (await tableBytes(engine)) / filled)
    }
  },
}

/** One feed with its reviews, in the order in which a store shows them: at random for the index. */
async function fillFeed(engine: BenchEngine, number: number): Promise<void> {
  const key = engine.name === 'sqlite' ? 'randomblob(16)' : 'gen_random_uuid()'
  await engine.sql(`insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
    values ('google', 'bench${number}', 'reviews', 'en', ${number}, 3600000)`)
  await engine.sql(`insert into seen (feed_id, review_key)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${PER_FEED})
    select (select id from feeds where app_id = 'bench${number}'), ${key} from n`)
}

/** Median time of a page of new reviews, in feeds taken in turn. */
async function pageMs(bench: Bench, engine: BenchEngine): Promise<number> {
  const times: number[] = []
  const pages = bench.options.short ? 100 : 400
  for (let page = 0; page < pages; page++) {
    const [feed] = await claimReviewFeeds(engine.storage, 'google', 1)
    if (feed === undefined) throw new Error('no feed is due')
    times.push(await insertOrKnown(engine, feed, page * PAGE))
  }
  return median(times)
}

/** As a visit does it: what is known of the page is asked, nothing, and all of it becomes known in the visit's commit. */
async function insertOrKnown({ storage }: BenchEngine, feed: LeasedFeed, from: number): Promise<number> {
  const now = new Date()
  const reviews = Array.from({ length: PAGE }, (_, index) =>
    reviewOf(feed, now.getTime() * 1000 + from + index, now),
  )
  const fingerprints = reviews.map(({ fingerprint }) => fingerprint)
  const visit = { feedId: feed.id, lease: feed.lease, polledAt: now, outcome: 'ok' as const, source: 'bench' }
  const startedMs = performance.now()
  const known = await storage.feeds.known(feed.id, fingerprints)
  const written = await storage.feeds.commitReviews(
    { ...visit, detail: null, raw: null },
    reviews,
    false,
    { readyAt: now, enrich: false },
    () => ({ seen: reviews, keep: [], occurrences: [], nextPollAt: now, intervalMs: 60_000 }),
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

function tell(bench: Bench, name: EngineName, times: ReadonlyMap<number, number>, bytes: number): void {
  const few = times.values().next().value ?? Number.NaN
  for (const [size, ms] of times) {
    const growth = ms / few
    const aim = size === PER_FEED ? undefined : atMost(growth, FLAT)
    const note = `${growth.toFixed(2)} of the first`
    bench.found({ name: `seen.${name}.${size}`, value: ms, unit: 'ms a page', note, aim })
  }
  const aim = name === 'sqlite' ? atMost(bytes, BYTES_MAX) : undefined
  bench.found({ name: `seen.${name}.bytes`, value: bytes, unit: 'bytes a review', aim })
}
