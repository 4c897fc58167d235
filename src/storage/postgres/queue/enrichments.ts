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
import { flagOf, jsonOrNull, msOf, parsed } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'

type EnrichmentStorage = Omit<OccurrenceStorage, 'fanOut'>
type Result = Parameters<EnrichmentStorage['commitEnrichment']>[0][number]

/** Rows in a chunk of `enrichAgain`: far less than a second. */
const REENRICH_CHUNK = 5_000

export function enrichmentStorage(db: Database): EnrichmentStorage {
  return {
    claimForEnrichment: async (request) => db.transaction((tx) => claimForEnrichment(tx, request)),

    commitEnrichment: async (results, now) => {
      if (results.length > 0) await db.transaction((tx) => commitEnrichment(tx, results, msOf(now)))
    },

    releaseEnrichment: async (reviews, isFree) => {
      if (reviews.length === 0) return
      await db.transaction(async (tx) => {
        const released = await tx.run(
          `update reviews r set enrich_lease = null, enrich_leased_until = null, enrich_tries = enrich_tries - $3
           from unnest($1::bigint[], $2::text[]) as v (seq, lease) where r.seq = v.seq and r.enrich_lease = v.lease`,
          reviews.map(({ reviewSeq }) => reviewSeq),
          reviews.map(({ lease }) => lease),
          isFree ? 1 : 0,
        )
        if (released > 0) tx.notifyWork()
      })
    },

    enrichmentFailures: async (since) =>
      db.all<{ failure: EnrichmentFailure; count: number }>(
        `select enrich_failure as failure, count(*) as count from reviews
         where enrich_failure is not null and enrichment is null and enriched_at >= $1
         group by enrich_failure order by enrich_failure`,
        msOf(since),
      ),

    enrichAgain: async (since) => {
      // Several transactions, because millions of rows would block other writes. Repeating a chunk is harmless.
      const last = (await db.get<{ seq: number | null }>('select max(seq) as seq from reviews'))?.seq ?? 0
      let queued = 0
      for (let from = 0; from <= last; from += REENRICH_CHUNK) {
        queued += await db.run(
          `update reviews set enrich_at = greatest(occurred_at, 1)
           where seq > $1 and seq <= $2 and occurred_at >= $3 and enrich_at is null`,
          from,
          from + REENRICH_CHUNK,
          msOf(since),
        )
      }
      return queued
    },

    cachedEnrichments: async (contentKeys) => {
      const rows = await db.all<{ content_key: string; enrichment: string }>(
        'select content_key, enrichment from model_cache where content_key = any($1::text[])',
        contentKeys,
      )
      return new Map(rows.map((row) => [row.content_key, parsed<Enrichment>(row.enrichment)]))
    },

    cacheEnrichment: async (contentKey, enrichment, now) => {
      await db.run(
        `insert into model_cache (content_key, enrichment, at) values ($1, $2, $3)
         on conflict (content_key) do update set enrichment = excluded.enrichment, at = excluded.at`,
        contentKey,
        JSON.stringify(enrichment),
        msOf(now),
      )
    },

    spendModelRequests: async (day, requests, limit) =>
      (await db.run(
        `insert into model_spending as s (day, requests) select $1, $2::integer where $2::integer <= $3::integer
         on conflict (day) do update set requests = s.requests + excluded.requests
           where s.requests + excluded.requests <= $3::integer`,
        day,
        requests,
        limit,
      )) > 0,

    knownSlugs: async (store, appId, limit) => {
      const rows = await db.all<{ slug: string }>(KNOWN_SLUGS, store, appId, limit)
      return rows.map(({ slug }) => slug)
    },
  }
}

/** Reads only the index reviews_slugs, so the cost depends on the app's feature requests, not on its reviews. */
export const KNOWN_SLUGS = `select feature_slug as slug from reviews
  where store = $1 and app_id = $2 and feature_slug is not null and market not like '%~%'
  group by feature_slug order by count(*) desc, feature_slug limit $3`

/** Expired leases come first, because they have waited longest. Each part reads the first rows of an index. */
export const SELECT_EXPIRED_LEASES = `select seq from reviews
  where enrich_leased_until <= $2 order by enrich_leased_until limit $1 for update skip locked`
export const AWAITED = `select seq from reviews
  where enrich_at = 0 and enrich_leased_until is null order by seq limit $1 for update skip locked`
export const NOT_AWAITED = `select seq from reviews
  where enrich_at > 0 and enrich_leased_until is null order by enrich_at desc, seq desc limit $1 for update skip locked`

async function claimForEnrichment(
  tx: Transaction,
  {
    now,
    limit,
    lease,
    leaseMs,
  }: { readonly now: Date; readonly limit: number; readonly lease: string; readonly leaseMs: number },
): Promise<ReviewToEnrich[]> {
  const seqs: number[] = []
  const take = async (sql: string, max: number, ...values: number[]) => {
    if (seqs.length >= max) return
    const rows = await tx.all<{ seq: number }>(sql, max - seqs.length, ...values)
    seqs.push(...rows.map(({ seq }) => seq))
  }
  await take(SELECT_EXPIRED_LEASES, 1, msOf(now))
  if (seqs.length === 0) {
    await take(AWAITED, limit)
    await take(NOT_AWAITED, limit)
  }
  if (seqs.length === 0) return []
  const rows = await tx.all<ReviewRow & AppRow & { seq: number; tries: number }>(
    `with v as (select seq, place from unnest($1::bigint[]) with ordinality as v (seq, place)),
       r as (
         update reviews set enrich_lease = $2, enrich_leased_until = $3, enrich_tries = enrich_tries + 1 from v where reviews.seq = v.seq
         returning reviews.*, v.place)
     select r.seq, r.enrich_tries as tries, ${REVIEW_COLUMNS}, ${APP_COLUMNS}
     from r left join apps a on a.store = r.store and a.app_id = r.app_id order by r.place`,
    seqs,
    lease,
    msOf(now) + leaseMs,
  )
  return rows.map((row) => ({ reviewSeq: row.seq, lease, review: reviewOfApp(row), tries: row.tries }))
}

/** Stores one result. After a failure an earlier enrichment stays. */
async function commitEnrichment(tx: Transaction, results: readonly Result[], nowMs: number): Promise<void> {
  const updated = await tx.all<{ seq: number }>(
    COMMIT,
    results.map(({ reviewSeq }) => reviewSeq),
    results.map(({ lease }) => lease),
    results.map(({ enrichment }) => jsonOrNull(enrichment)),
    results.map(({ engine }) => engine.name),
    results.map(({ engine }) => engine.version),
    results.map(({ enrichment }) => enrichment?.language ?? null),
    results.map(({ enrichment }) => enrichment?.sentiment ?? null),
    results.map(({ enrichment }) => enrichment?.severity ?? null),
    results.map(({ enrichment }) => enrichment && themesMask(enrichment.themes)),
    results.map(({ enrichment }) => enrichment && flagOf(enrichment.is_bug_report)),
    results.map(({ enrichment }) => enrichment && flagOf(enrichment.is_feature_request)),
    results.map(({ enrichment }) => enrichment?.feature_slug ?? null),
    nowMs,
    results.map(({ failure }) => failure),
  )
  const ready = await tx.run(
    'update occurrences set ready_at = $1 where review_seq = any($2::bigint[]) and ready_at > $1',
    nowMs,
    updated.map(({ seq }) => seq),
  )
  if (ready > 0) tx.notifyWork()
}

const ENRICHMENT_COLUMN_TYPES: Record<string, string> = {
  enrichment: 'text',
  engine: 'text',
  engine_version: 'text',
  language: 'text',
  sentiment: 'text',
  severity: 'text',
  themes_mask: 'integer',
  is_bug_report: 'smallint',
  is_feature_request: 'smallint',
  feature_slug: 'text',
}
const COLUMNS = Object.keys(ENRICHMENT_COLUMN_TYPES)

const COMMIT = `update reviews r set enrich_at = null, enrich_lease = null, enrich_leased_until = null, enriched_at = $13,
    enrich_tries = 0, enrich_failure = v.failure,
    ${COLUMNS.map((column) => `${column} = case when v.enrichment is null then r.${column} else v.${column} end`).join(', ')}
  from unnest($1::bigint[], $2::text[], ${COLUMNS.map((column, index) => `$${index + 3}::${ENRICHMENT_COLUMN_TYPES[column]}[]`).join(', ')}, $14::text[])
    as v (seq, lease, ${COLUMNS.join(', ')}, failure)
  where r.seq = v.seq and r.enrich_lease = v.lease
  returning r.seq`
