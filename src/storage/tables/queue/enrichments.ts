import type { Enrichment } from '../../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../../model/enrichment-failure.ts'
import { columns, flag, instant, integer, json, named, nullable, text, word } from '../../columns.ts'
import type { OccurrenceStorage, ReviewToEnrich } from '../../port/occurrences.ts'
import { msOf } from '../../values.ts'
import { all, type Db, get, notifyWork, run, runRows, type Sql, sql, type Work } from '../../work.ts'
import {
  APP_COLUMNS,
  type AppRow,
  REVIEW_COLUMNS,
  type ReviewRow,
  reviewOfApp,
  themesMask,
} from '../feeds/review-rows.ts'

type Result = Parameters<OccurrenceStorage['commitEnrichment']>[0][number]

/** Rows in a step of `enrichAgain`: about 50 ms on SQLite without other writes. */
const REENRICH_ROWS = 5_000

const CACHED = columns({ contentKey: text, enrichment: json<Enrichment>() })
const FAILURES = columns({
  failure: named('enrich_failure', word<EnrichmentFailure>()),
  count: named('count(*)', integer),
})

export function enrichmentStorage(db: Db): Omit<OccurrenceStorage, 'fanOut'> {
  return {
    claimForEnrichment: (request) => db.transaction(() => claimForEnrichment(request)),

    commitEnrichment: (results, now) => db.transaction(() => commitEnrichment(results, now)),

    releaseEnrichment: (reviews, isFree) =>
      db.transaction(function* () {
        const rows = reviews.map(({ reviewSeq, lease }) => [reviewSeq, lease])
        const released = yield* runRows(isFree ? RELEASE_FREE : RELEASE, rows)
        if (released > 0) yield* notifyWork()
      }),

    enrichmentFailures: (since) =>
      db.alone(
        FAILURES.all(
          `from reviews where enrich_failure is not null and enrichment is null and enriched_at >= ?1
           group by enrich_failure order by enrich_failure`,
          msOf(since),
        ),
      ),

    async enrichAgain(since) {
      // Several transactions, because millions of rows would block other writes. Repeating one is harmless.
      const newest = 'select max(seq) as seq from reviews'
      const last = (await db.step(() => get<{ seq: number | null }>(newest)))?.seq ?? 0
      let queued = 0
      for (let from = 0; from <= last; from += REENRICH_ROWS) {
        queued += await db.step(() => run(ENRICH_AGAIN, from, from + REENRICH_ROWS, msOf(since)))
      }
      return queued
    },

    async cachedEnrichments(contentKeys) {
      const found = await db.alone(CACHED.all(CACHED_AMONG, contentKeys))
      return new Map(found.map(({ contentKey, enrichment }) => [contentKey, enrichment]))
    },

    async cacheEnrichment(contentKey, enrichment, now) {
      await db.alone(
        run(
          `insert into model_cache (content_key, enrichment, at) values (?1, ?2, ?3)
           on conflict (content_key) do update set enrichment = excluded.enrichment, at = excluded.at`,
          contentKey,
          JSON.stringify(enrichment),
          msOf(now),
        ),
      )
    },

    async spendModelRequests(day, requests, limit) {
      const spent = run(
        `insert into model_spending as s (day, requests) select ?1, cast(?2 as integer)
           where cast(?2 as integer) <= cast(?3 as integer)
         on conflict (day) do update set requests = s.requests + excluded.requests
           where s.requests + excluded.requests <= cast(?3 as integer)`,
        day,
        requests,
        limit,
      )
      return (await db.alone(spent)) > 0
    },

    async knownSlugs(store, appId, limit) {
      const found = await db.alone(all<{ slug: string }>(KNOWN_SLUGS, store, appId, limit))
      return found.map(({ slug }) => slug)
    },
  }
}

/** An attempt that does not count is taken back. */
const release = (tries: string) => ({
  sqlite: `update reviews set enrich_lease = null, enrich_leased_until = null, enrich_tries = ${tries}
    where seq = ?1 and enrich_lease = ?2`,
  postgres: `update reviews r set enrich_lease = null, enrich_leased_until = null, enrich_tries = ${tries}
    from unnest(?1::bigint[], ?2::text[]) as v (seq, lease) where r.seq = v.seq and r.enrich_lease = v.lease`,
})
const RELEASE = release('enrich_tries')
const RELEASE_FREE = release('enrich_tries - 1')

const ENRICH_AGAIN = sql(
  (d) => `update reviews set enrich_at = ${d.greatest('occurred_at', '1')}
    where seq > ?1 and seq <= ?2 and occurred_at >= ?3 and enrich_at is null`,
)

const CACHED_AMONG = sql((d) => `from model_cache where content_key ${d.among('?1', 'text')}`)

/** Reads only the index reviews_slugs, so the cost depends on the app's feature requests, not on its reviews. */
const KNOWN_SLUGS = `select feature_slug as slug from reviews
  where store = ?1 and app_id = ?2 and feature_slug is not null and market not like '%~%'
  group by feature_slug order by count(*) desc, feature_slug limit ?3`

/** Expired leases come first, because they have waited longest. Each part reads the first rows of an index. */
export const SELECT_EXPIRED_LEASES = sql(
  (d) => `select seq from reviews where enrich_leased_until <= ?2 order by enrich_leased_until limit ?1
    ${d.forUpdate('skip locked')}`,
)
export const AWAITED = sql(
  (d) => `select seq from reviews where enrich_at = 0 and enrich_leased_until is null order by seq limit ?1
    ${d.forUpdate('skip locked')}`,
)
export const NOT_AWAITED = sql(
  (d) => `select seq from reviews where enrich_at > 0 and enrich_leased_until is null
    order by enrich_at desc, seq desc limit ?1 ${d.forUpdate('skip locked')}`,
)

const LEASE = sql(
  (d) => `update reviews set enrich_lease = ?1, enrich_leased_until = ?2, enrich_tries = enrich_tries + 1
    where seq ${d.among('?3', 'bigint')}`,
)

const LEASED = sql(
  (d) => `select r.seq, r.enrich_tries as tries, r.enrich_at, ${REVIEW_COLUMNS}, ${APP_COLUMNS}
    from reviews r left join apps a on a.store = r.store and a.app_id = r.app_id where r.seq ${d.among('?1', 'bigint')}`,
)

function* claimForEnrichment({
  now,
  limit,
  lease,
  leaseMs,
}: Parameters<OccurrenceStorage['claimForEnrichment']>[0]): Work<ReviewToEnrich[]> {
  const seqs: number[] = []
  function* take(from: Sql, max: number, ...values: number[]): Work<void> {
    if (seqs.length >= max) return
    const rows = yield* all<{ seq: number }>(from, max - seqs.length, ...values)
    seqs.push(...rows.map(({ seq }) => seq))
  }
  yield* take(SELECT_EXPIRED_LEASES, 1, msOf(now))
  if (seqs.length === 0) {
    yield* take(AWAITED, limit)
    yield* take(NOT_AWAITED, limit)
  }
  if (seqs.length === 0) return []
  yield* run(LEASE, lease, msOf(now) + leaseMs, seqs)
  const rows = yield* all<ReviewRow & AppRow & { seq: number; tries: number; enrich_at: number }>(
    LEASED,
    seqs,
  )
  const place = new Map(seqs.map((seq, index) => [seq, index]))
  rows.sort((a, b) => (place.get(a.seq) ?? 0) - (place.get(b.seq) ?? 0))
  return rows.map((row) => ({
    reviewSeq: row.seq,
    lease,
    review: reviewOfApp(row),
    isAwaited: row.enrich_at === 0,
    tries: row.tries,
  }))
}

/** After a failure an earlier enrichment stays. */
const FINISHED = columns({
  seq: integer,
  enrichAt: nullable(instant),
  enrichLease: nullable(text),
  enrichLeasedUntil: nullable(instant),
  enrichedAt: instant,
  enrichTries: integer,
  enrichFailure: nullable(word<EnrichmentFailure>()),
})

const ENRICHED = columns({
  ...FINISHED.shape,
  enrichment: json<Enrichment>(),
  engine: text,
  engineVersion: text,
  language: nullable(text),
  sentiment: text,
  severity: text,
  themesMask: integer,
  isBugReport: flag,
  isFeatureRequest: flag,
  featureSlug: nullable(text),
})

const LEASES = sql(
  (d) =>
    `select seq, enrich_lease from reviews where seq ${d.among('?1', 'bigint')} order by seq ${d.forUpdate()}`,
)

const READY_NOW = sql(
  (d) => `update occurrences set ready_at = ?1 where review_seq ${d.among('?2', 'bigint')} and ready_at > ?1`,
)

function* commitEnrichment(results: readonly Result[], now: Date): Work<void> {
  if (results.length === 0) return
  const rows = yield* all<{ seq: number; enrich_lease: string | null }>(
    LEASES,
    results.map(({ reviewSeq }) => reviewSeq),
  )
  const leases = new Map(rows.map(({ seq, enrich_lease }) => [seq, enrich_lease]))
  const leased = results.filter(({ reviewSeq, lease }) => leases.get(reviewSeq) === lease)
  const finished = ({ reviewSeq, failure }: Result) => ({
    seq: reviewSeq,
    enrichAt: null,
    enrichLease: null,
    enrichLeasedUntil: null,
    enrichedAt: now,
    enrichTries: 0,
    enrichFailure: failure,
  })
  const failed = leased.filter(({ enrichment }) => enrichment === null)
  yield* FINISHED.updateAll('reviews', ['seq'], failed.map(finished))
  const enriched = leased.flatMap((result) => {
    const { enrichment, engine } = result
    if (enrichment === null) return []
    return {
      ...finished(result),
      enrichment,
      engine: engine.name,
      engineVersion: engine.version,
      language: enrichment.language,
      sentiment: enrichment.sentiment,
      severity: enrichment.severity,
      themesMask: themesMask(enrichment.themes),
      isBugReport: enrichment.is_bug_report,
      isFeatureRequest: enrichment.is_feature_request,
      featureSlug: enrichment.feature_slug,
    }
  })
  yield* ENRICHED.updateAll('reviews', ['seq'], enriched)
  const seqs = leased.map(({ reviewSeq }) => reviewSeq)
  if ((yield* run(READY_NOW, msOf(now), seqs)) > 0) yield* notifyWork()
}
