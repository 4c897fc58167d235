import type { Occurrence } from '../../../model/occurrence.ts'
import { type LinkableReview, linkableOf } from '../../../model/review-link.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Candidate } from '../../port/occurrences.ts'
import {
  candidatesBySource,
  type NewLink,
  type OfficialLinkable,
  type SourceOfAccount,
} from '../../sources/candidates-by-source.ts'
import { CLOCK_AHEAD, consumedKeyOf, LINKABLE_MAX, publicReviewsQuery } from '../../sources/source-rows.ts'
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../../tables/feeds/review-rows.ts'
import { seenKeyOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

export const SOURCES_OF_APP = `select id, account_id, store, app_id, state, public_seq, first_public_seq, last_ok_at
  from review_sources where store = ? and app_id = ?`

const PUBLIC_REVIEWS = publicReviewsQuery((index) => `?${index}`)

/** The filter of candidates by source for one commit of fan-out, and the links that it made. */
export function bySource(db: Connection): {
  readonly filter: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly Candidate[]
  readonly store: () => void
} {
  const apps = new Map<string, readonly SourceOfAccount[]>()
  const reviews = new Map<number, readonly OfficialLinkable[]>()
  const publicReviews = new Map<string, readonly LinkableReview[]>()
  const links: NewLink[] = []
  const shownAt = (sourceId: number, key: string) =>
    db.get<{ public_seq: number }>(
      'select public_seq from official_seen where source_id = ? and review_key = ?',
      sourceId,
      key,
    )?.public_seq ?? null

  const sourcesOf = (occurrence: Occurrence) => {
    const key = `${occurrence.store} ${occurrence.appId}`
    const found = apps.get(key) ?? db.all<SourceOfAccount>(SOURCES_OF_APP, occurrence.store, occurrence.appId)
    apps.set(key, found)
    return found
  }
  const reviewsOf = (source: SourceOfAccount) => {
    const found =
      reviews.get(source.id) ??
      db
        .all<ReviewRow>(
          `select ${REVIEW_COLUMNS} from reviews r where r.store = ? and r.app_id = ? and r.market like ?
           order by r.occurred_at desc limit ${LINKABLE_MAX}`,
          source.store,
          source.app_id,
          `%~${source.account_id}`,
        )
        .map(reviewOf)
        .filter(
          ({ store, appId, reviewId, fingerprint }) =>
            fingerprint === officialFingerprintOf(source.account_id, store, appId, reviewId) &&
            shownAt(source.id, consumedKeyOf(fingerprint)) === null,
        )
        .map((review) => ({
          review: linkableOf(review),
          publicSeq: shownAt(source.id, seenKeyOf(review.fingerprint)) ?? 0,
        }))
    reviews.set(source.id, found)
    return found
  }

  const publicReviewsOf = ({ store, app_id }: SourceOfAccount) => {
    const key = `${store} ${app_id}`
    const found =
      publicReviews.get(key) ??
      db.all<ReviewRow>(PUBLIC_REVIEWS, store, app_id).map((row) => linkableOf(reviewOf(row)))
    publicReviews.set(key, found)
    return found
  }

  return {
    filter: (occurrence, candidates) => {
      if (candidates.length === 0) return candidates
      const sources = sourcesOf(occurrence)
      const byId = new Map(sources.map((source) => [source.id, source]))
      const left = {
        shownAt,
        aheadMs: () => db.get<{ ahead_ms: number }>(CLOCK_AHEAD)?.ahead_ms ?? 0,
        reviews: (id: number) => {
          const source = byId.get(id)
          return source === undefined ? [] : reviewsOf(source)
        },
        publicReviews: (id: number) => {
          const source = byId.get(id)
          return source === undefined ? [] : publicReviewsOf(source)
        },
      }
      return candidatesBySource(occurrence, candidates, sources, left, links)
    },
    store: () => {
      for (const { sourceId, fingerprint, officialFingerprint } of links) {
        for (const key of [seenKeyOf(fingerprint), consumedKeyOf(officialFingerprint)]) {
          db.run(
            'insert into official_seen (source_id, review_key) values (?, ?) on conflict do nothing',
            sourceId,
            key,
          )
        }
      }
    },
  }
}
