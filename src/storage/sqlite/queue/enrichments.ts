import type { Enrichment } from '../../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../../model/enrichment-failure.ts'
import type { OccurrenceStorage, ReviewToEnrich } from '../../port/occurrences.ts'
import {
  APP_COLUMNS,
  type AppRow,
  REVIEW_COLUMNS,
  type ReviewRow,
  reviewOfApp,
  themesMask,
} from '../../tables/feeds/review-rows.ts'
import { flagOf, msOf, parsed } from '../../values.ts'
import type { Connection } from '../connect.ts'

type EnrichmentStorage = Omit<OccurrenceStorage, 'fanOut'>

/** Rows in a chunk of `enrichAgain`: about 50 ms without other writes. */
const REENRICH_CHUNK = 5_000

export function enrichmentStorage(db: Connection): EnrichmentStorage {
  return {
    claimForEnrichment: async (request) => db.transaction(() => claimForEnrichment(db, request)),

    commitEnrichment: async (results, now) =>
      db.transaction(() => {
        for (const result of results) commitOne(db, result, msOf(now))
      }),

    releaseEnrichment: async (reviews, isFree) =>
      db.transaction(() => {
        for (const { reviewSeq, lease } of reviews) {
          db.run(
            `update reviews set enrich_lease = null, enrich_leased_until = null, enrich_tries = enrich_tries - ?
             where seq = ? and enrich_lease = ?`,
            isFree ? 1 : 0,
            reviewSeq,
            lease,
          )
        }
      }),

    enrichmentFailures: async (since) =>
      db
        .all<{ failure: EnrichmentFailure; count: number }>(
          `select enrich_failure as failure, count(*) as count from reviews
           where enrich_failure is not null and enrichment is null and enriched_at >= ?
         group by enrich_failure order by enrich_failure`,
          msOf(since),
        )
        .map(({ failure, count }) => ({ failure, count })),

    enrichAgain: async (since) => {
      // Several transactions, because millions of rows would block other writes. Repeating a chunk is harmless.
      const newest = await db.whenUnlocked(() =>
        db.get<{ seq: number | null }>('select max(seq) as seq from reviews'),
      )
      const last = newest?.seq ?? 0
      let queued = 0
      for (let from = 0; from <= last; from += REENRICH_CHUNK) {
        queued += await db.whenUnlocked(() =>
          db.run(
            `update reviews set enrich_at = max(occurred_at, 1)
             where seq > ? and seq <= ? and occurred_at >= ? and enrich_at is null`,
            from,
            from + REENRICH_CHUNK,
            msOf(since),
          ),
        )
        await new Promise(setImmediate)
      }
      return queued
    },

    cachedEnrichments: async (contentKeys) =>
      new Map(
        db
          .all<{ content_key: string; enrichment: string }>(
            `select content_key, enrichment from model_cache
             where content_key in (select value from json_each(?))`,
            JSON.stringify(contentKeys),
          )
          .map((row) => [row.content_key, parsed<Enrichment>(row.enrichment)]),
      ),

    cacheEnrichment: async (contentKey, enrichment, now) => {
      db.run(
        `insert into model_cache (content_key, enrichment, at) values (?, ?, ?)
         on conflict (content_key) do update set enrichment = excluded.enrichment, at = excluded.at`,
        contentKey,
        JSON.stringify(enrichment),
        msOf(now),
      )
    },

    spendModelRequests: async (day, requests, limit) =>
      db.run(
        `insert into model_spending (day, requests) select ?1, ?2 where ?2 <= ?3
         on conflict (day) do update set requests = requests + excluded.requests
           where requests + excluded.requests <= ?3`,
        day,
        requests,
        limit,
      ) > 0,

    knownSlugs: async (store, appId, limit) =>
      db.all<{ slug: string }>(KNOWN_SLUGS, store, appId, limit).map(({ slug }) => slug),
  }
}

/** Reads only the index reviews_slugs, so the cost depends on the app's feature requests, not on its reviews. */
export const KNOWN_SLUGS = `select feature_slug as slug from reviews
  where store = ? and app_id = ? and feature_slug is not null and market not like '%~%'
  group by feature_slug order by count(*) desc, feature_slug limit ?`

/** Expired leases come first, because they have waited longest. Each part reads the first rows of an index. */
export const SELECT_EXPIRED_LEASES =
  'select seq from reviews where enrich_leased_until <= ? order by enrich_leased_until limit ?'
export const AWAITED = `select seq from reviews
  where enrich_at = 0 and enrich_leased_until is null order by seq limit ?`
export const NOT_AWAITED = `select seq from reviews
  where enrich_at > 0 and enrich_leased_until is null order by enrich_at desc, seq desc limit ?`

function claimForEnrichment(
  db: Connection,
  {
    now,
    limit,
    lease,
    leaseMs,
  }: { readonly now: Date; readonly limit: number; readonly lease: string; readonly leaseMs: number },
): ReviewToEnrich[] {
  const seqs: number[] = []
  const take = (sql: string, max: number, ...values: number[]) => {
    if (seqs.length < max) {
      seqs.push(...db.all<{ seq: number }>(sql, ...values, max - seqs.length).map(({ seq }) => seq))
    }
  }
  take(SELECT_EXPIRED_LEASES, 1, msOf(now))
  if (seqs.length === 0) {
    take(AWAITED, limit)
    take(NOT_AWAITED, limit)
  }
  if (seqs.length === 0) return []
  const list = JSON.stringify(seqs)
  db.run(
    `update reviews set enrich_lease = ?, enrich_leased_until = ?, enrich_tries = enrich_tries + 1
     where seq in (select value from json_each(?))`,
    lease,
    msOf(now) + leaseMs,
    list,
  )
  return db
    .all<ReviewRow & AppRow & { seq: number; tries: number }>(
      `select r.seq, r.enrich_tries as tries, ${REVIEW_COLUMNS}, ${APP_COLUMNS}
       from json_each(?) j cross join reviews r on r.seq = j.value
       left join apps a on a.store = r.store and a.app_id = r.app_id order by j.key`,
      list,
    )
    .map((row) => ({ reviewSeq: row.seq, lease, review: reviewOfApp(row), tries: row.tries }))
}

/** Stores one result. After a failure an earlier enrichment stays. */
function commitOne(
  db: Connection,
  {
    reviewSeq,
    lease,
    enrichment,
    engine,
    failure,
  }: Parameters<EnrichmentStorage['commitEnrichment']>[0][number],
  nowMs: number,
): void {
  const updated = db.run(
    `update reviews set enrich_at = null, enrich_lease = null, enrich_leased_until = null, enriched_at = ?,
       enrich_tries = 0, enrich_failure = ?
     where seq = ? and enrich_lease = ?`,
    nowMs,
    failure,
    reviewSeq,
    lease,
  )
  if (updated === 0) return
  if (enrichment !== null) {
    db.run(
      `update reviews set enrichment = ?, engine = ?, engine_version = ?, language = ?, sentiment = ?, severity = ?,
         themes_mask = ?, is_bug_report = ?, is_feature_request = ?, feature_slug = ?
       where seq = ?`,
      JSON.stringify(enrichment),
      engine.name,
      engine.version,
      enrichment.language,
      enrichment.sentiment,
      enrichment.severity,
      themesMask(enrichment.themes),
      flagOf(enrichment.is_bug_report),
      flagOf(enrichment.is_feature_request),
      enrichment.feature_slug,
      reviewSeq,
    )
  }
  db.run('update occurrences set ready_at = ?1 where review_seq = ?2 and ready_at > ?1', nowMs, reviewSeq)
}
