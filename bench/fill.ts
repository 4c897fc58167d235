import type { BenchEngine } from './engines.ts'

/**
 * Fills tables with SQL statements, because calls of the storage would take hours. The columns that measurements read are like those of the
 * storage; nullable columns are null.
 */

/** The numbers from 1 to `count`, as a table `n (i)`. */
function numbers(count: number): string {
  return `with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${count})`
}

/** An expression for 32 pseudo-random bytes. */
function bytes(engine: BenchEngine, seed: string): string {
  return engine.name === 'sqlite' ? 'randomblob(32)' : `sha256(int8send((${seed})::bigint))`
}

/** Updates the planner's statistics after a table has been filled. */
async function analyze(engine: BenchEngine): Promise<void> {
  await engine.sql('analyze')
  if (engine.name === 'sqlite') await engine.sql('pragma wal_checkpoint(truncate)')
}

/** Adds `count` reviews, each published `everyMs` before the next, up to now. */
export async function fillReviews(
  engine: BenchEngine,
  count: number,
  apps: readonly string[],
  everyMs = 60_000,
): Promise<void> {
  const nowMs = Date.now()
  for (const [index, appId] of apps.entries()) {
    const each = Math.ceil(count / apps.length)
    await engine.sql(`insert into reviews (fingerprint, store, app_id, review_id, market, rating, title, body, author,
        app_version, shown_at, content_hash, occurred_at, observed_at)
      ${numbers(each)}
      select ${bytes(engine, `${index * 1e9} + i`)}, 'google', '${appId}', 'bench-' || i, 'en', 1 + i % 5, 'A title',
        'It closes whenever I open a second list, and what I had written is gone. Please bring the old editor back, number ' || i,
        'Person ' || (i % 1000), '4.2.0', ${nowMs} - i * ${everyMs}, ${bytes(engine, `${index * 1e9 + 5e8} + i`)},
        ${nowMs} - i * ${everyMs}, ${nowMs} - i * ${everyMs} from n`)
  }
  await analyze(engine)
}

/** Enriches all reviews. One in ten requests one of 40 features. */
export async function fillEnrichments(engine: BenchEngine): Promise<void> {
  await engine.sql(`update reviews set language = 'en', severity = 'low', is_bug_report = 0,
    sentiment = case seq % 3 when 0 then 'negative' when 1 then 'positive' else 'neutral' end,
    themes_mask = (1 << cast(seq % 23 as integer)) | (1 << cast(seq / 7 % 23 as integer)),
    is_feature_request = case seq % 10 when 0 then 1 else 0 end,
    feature_slug = case seq % 10 when 0 then 'feature_' || (seq / 10 % 40) end,
    app_version = '4.' || (seq / 5000)`)
  await analyze(engine)
}

/** Adds `each` pending deliveries per hook with short bodies, which have been due for a minute. */
export async function fillDeliveries(
  engine: BenchEngine,
  hooks: readonly { readonly id: string; readonly accountId: string }[],
  each: number,
): Promise<void> {
  const dueMs = Date.now() - 60_000
  for (const [index, { id, accountId }] of hooks.entries()) {
    await engine.sql(`insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
      ${numbers(each)}
      select ${bytes(engine, `${index * 1e9} + i`)}, ${bytes(engine, `${index * 1e9 + 5e8} + i`)}, '${accountId}', '${id}',
        'review.created', 'google', 'org.example.app0', ${dueMs}, '{"event_id":"waiting"}' from n`)
  }
  await engine.sql(`insert into deliveries (seq, account_id, hook_id, status, due_at, expires_at)
    select seq, account_id, hook_id, 'pending', ${dueMs} + seq % 1000, ${dueMs} + 300000000 from events`)
  await engine.sql(`update lanes set next_claim_at = ${dueMs}`)
  await analyze(engine)
}

/** More accounts than one claim covers. */
const ACCOUNTS = 200

/** Adds due review feeds of `count` Apple apps, spread over many accounts. */
export async function fillFeeds(engine: BenchEngine, count: number): Promise<void> {
  await engine.sql(`insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms)
    ${numbers(count)}
    select 'apple', 'bench' || i, 'reviews', 'us', ${Date.now() - 3_600_000} + i % 1000000, 3600000 from n`)
  await engine.sql(`insert into feed_accounts (feed_id, account_id, store, kind, next_poll_at)
    select id, 'bench' || id % ${ACCOUNTS}, store, kind, next_poll_at from feeds`)
  await engine.sql(`insert into poll_turns (store, kind, fresh, account_id)
    select distinct store, kind, 0, account_id from feed_accounts`)
  await analyze(engine)
}
