import { ownerOf } from '../../../model/market.ts'
import type { Occurrence } from '../../../model/occurrence.ts'
import { type LinkableReview, linkableOf } from '../../../model/review-link.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Candidate } from '../../port/occurrences.ts'
import {
  candidatesBySource,
  isAfterLeaving,
  type NewLink,
  type OfficialLinkable,
  type SourceOfAccount,
} from '../../sources/candidates-by-source.ts'
import { CLOCK_AHEAD, consumedKeyOf, LINKABLE_MAX, publicReviewsQuery } from '../../sources/source-rows.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../../tables/feeds/review-rows.ts'
import { seenKeyOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

const PUBLIC_REVIEWS = publicReviewsQuery((index) => `$${index}`)

/**
 * The filter of candidates by source for one commit of fan-out, and the links that it made. Differs from sqlite: reads for all
 * occurrences first, and locks the sources, so that no change of source commits in between.
 */
export async function bySource(
  tx: Transaction,
  occurrences: readonly Occurrence[],
): Promise<{
  readonly filter: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly store: () => void
}> {
  const ofReviews = occurrences.filter(({ eventType }) => eventType === 'review.created')
  const sources = await tx.all<SourceOfAccount>(
    `select id, account_id, store, app_id, state, public_seq, first_public_seq, last_ok_at from review_sources
     where (store, app_id) in (select * from unnest($1::text[], $2::text[])) order by id for share`,
    ofReviews.map(({ store }) => store),
    ofReviews.map(({ appId }) => appId),
  )
  const left = sources.filter((source) =>
    ofReviews.some(
      ({ store, appId, seq, market }) =>
        store === source.store &&
        appId === source.app_id &&
        ownerOf(market) === null &&
        isAfterLeaving(seq, source),
    ),
  )
  const shown = new Map<string, number>()
  const reviews = new Map<number, readonly OfficialLinkable[]>()
  const publicReviews = new Map<number, readonly LinkableReview[]>()
  let aheadMs = 0
  if (left.length > 0) {
    aheadMs = (await tx.get<{ ahead_ms: number }>(CLOCK_AHEAD))?.ahead_ms ?? 0
    const ids = left.map(({ id }) => id)
    const hits = async (keys: readonly string[]) => {
      const rows = await tx.all<{ source_id: number; review_key: string; public_seq: number }>(
        `select source_id, review_key, public_seq from official_seen
         where source_id = any($1::integer[]) and review_key = any($2::text[])`,
        ids,
        keys,
      )
      for (const row of rows) shown.set(`${row.source_id} ${row.review_key}`, row.public_seq)
    }
    await hits(ofReviews.map(({ occurrenceId }) => seenKeyOf(occurrenceId)))
    for (const source of left) {
      const rows = await tx.all<ReviewRow>(
        `select ${REVIEW_COLUMNS} from reviews r where r.store = $1 and r.app_id = $2 and r.market like $3
         order by r.occurred_at desc limit ${LINKABLE_MAX}`,
        source.store,
        source.app_id,
        `%~${source.account_id}`,
      )
      const own = rows
        .map(reviewOf)
        .filter(
          ({ store, appId, reviewId, fingerprint }) =>
            fingerprint === officialFingerprintOf(source.account_id, store, appId, reviewId),
        )
      const shownToAll = await tx.all<ReviewRow>(PUBLIC_REVIEWS, source.store, source.app_id)
      publicReviews.set(
        source.id,
        shownToAll.map((row) => linkableOf(reviewOf(row))),
      )
      await hits(own.flatMap(({ fingerprint }) => [consumedKeyOf(fingerprint), seenKeyOf(fingerprint)]))
      reviews.set(
        source.id,
        own
          .filter(({ fingerprint }) => !shown.has(`${source.id} ${consumedKeyOf(fingerprint)}`))
          .map((review) => ({
            review: linkableOf(review),
            publicSeq: shown.get(`${source.id} ${seenKeyOf(review.fingerprint)}`) ?? 0,
          })),
      )
    }
  }
  const links: NewLink[] = []
  const lookup = {
    shownAt: (sourceId: number, key: string) => shown.get(`${sourceId} ${key}`) ?? null,
    reviews: (sourceId: number) => reviews.get(sourceId) ?? [],
    publicReviews: (sourceId: number) => publicReviews.get(sourceId) ?? [],
    aheadMs: () => aheadMs,
  }
  return {
    filter: (occurrence, candidates) => candidatesBySource(occurrence, candidates, sources, lookup, links),
    store: () => {
      if (links.length === 0) return
      tx.send(
        `insert into official_seen (source_id, review_key) select * from unnest($1::integer[], $2::text[])
         on conflict do nothing`,
        links.flatMap(({ sourceId }) => [sourceId, sourceId]),
        links.flatMap(({ fingerprint, officialFingerprint }) => [
          seenKeyOf(fingerprint),
          consumedKeyOf(officialFingerprint),
        ]),
      )
    },
  }
}
