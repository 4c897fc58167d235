import { hashOf } from '../../model/canonical.ts'
import { coveredUntilOf, STORE_LAG_MS } from '../../model/review-link.ts'
import type { ReviewSource, SourceState } from '../../model/review-source.ts'
import type { ConnectionKind } from '../../model/store-connection.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { LeasedSource, OfficialReview } from '../port/review-sources.ts'
import { REVIEW_COLUMNS } from '../tables/feeds/review-rows.ts'
import { dateOf, dateOrNull, msOf, seenKeyOf } from '../values.ts'

/** Rows of official sources, the same on both engines. */

export const SOURCE_COLUMNS = `s.id, s.account_id, s.store, s.app_id, s.state, s.connection_id, s.changed_at, s.public_seq,
  s.first_public_seq, s.public_until, s.next_poll_at, s.failures, s.walk_incomplete, s.last_polled_at, s.last_ok_at, s.failing_since, s.problem`

/** How far the clock is ahead of its reference. */
export const CLOCK_AHEAD = 'select ahead_ms from clock'

/**
 * What `publicUntilOf` reads: the oldest last good poll of the public feeds of an account's app, the difference of the clock from its
 * reference, and the newest date of a public review. The parameters are store, app id and account.
 */
export const publicUntilQuery = (p: (index: number) => string) => `
  select min(f.last_ok_at) as ok_at, (${CLOCK_AHEAD}) as ahead_ms, (
    select r.occurred_at from reviews r where r.store = ${p(1)} and r.app_id = ${p(2)} and r.market not like '%~%'
    order by r.occurred_at desc limit 1) as newest_at
  from feeds f join feed_accounts a on a.feed_id = f.id
  where f.store = ${p(1)} and f.app_id = ${p(2)} and f.kind = 'reviews' and a.account_id = ${p(3)}`

export type PublicUntilRow = {
  ok_at: number | null
  ahead_ms: number | null
  newest_at: number | null
}

/** Until when the public pages were read; null if they were not. */
export function publicUntilOf(row: PublicUntilRow | undefined): number | null {
  const okAt = dateOrNull(row?.ok_at ?? null)
  if (row === undefined || okAt === null) return null
  return msOf(coveredUntilOf(okAt, row.ahead_ms ?? 0, dateOrNull(row.newest_at)))
}

/** The oldest date of public reviews that an official source may not have shown at its last good poll. */
export function unshownSinceMs({ last_ok_at }: Pick<SourceRow, 'last_ok_at'>, aheadMs: number): number {
  const okAt = dateOrNull(last_ok_at)
  return okAt === null ? 0 : msOf(coveredUntilOf(okAt, aheadMs, null)) - STORE_LAG_MS
}

/** Whether the account of `review_sources s` still tracks the app or has a watch for it; other sources are not polled. */
export const IS_NEEDED = `(
    exists (select 1 from tracked_storefronts t
      where t.account_id = s.account_id and t.store = s.store and t.app_id = s.app_id)
    or exists (select 1 from watches w
      where w.account_id = s.account_id and w.store = s.store and w.app_id = s.app_id))`

/** Sources without a good poll since then. A source that was changed back and forth has an old last good poll. */
export function withoutGoodPollSince(instant: string): string {
  return `s.state <> 'public' and s.changed_at < ${instant} and coalesce(s.last_ok_at, 0) < ${instant} and ${IS_NEEDED}`
}

export type SourceRow = {
  id: number
  account_id: string
  store: Store
  app_id: string
  state: SourceState
  connection_id: string | null
  changed_at: number
  /** The last occurrence of the public pages before the last change to the official source; `first_`: the first change. */
  public_seq: number | null
  first_public_seq: number | null
  public_until: number | null
  next_poll_at: number | null
  failures: number
  walk_incomplete: number
  last_polled_at: number | null
  last_ok_at: number | null
  failing_since: number | null
  problem: string | null
}

export function sourceOf(row: SourceRow): ReviewSource {
  return {
    id: row.id,
    accountId: row.account_id,
    store: row.store,
    appId: row.app_id,
    state: row.state,
    connectionId: row.connection_id,
    changedAt: dateOf(row.changed_at),
    nextPollAt: dateOrNull(row.next_poll_at),
    lastPolledAt: dateOrNull(row.last_polled_at),
    lastOkAt: dateOrNull(row.last_ok_at),
    failingSince: dateOrNull(row.failing_since),
    failures: row.failures,
    problem: row.problem,
  }
}

export type ClaimedRow = SourceRow & { kind: ConnectionKind; credentials: string }

export function leasedSourceOf(row: ClaimedRow, lease: string): LeasedSource {
  const { kind, credentials } = row
  const connection = { id: row.connection_id ?? '', accountId: row.account_id, kind, credentials }
  return { ...sourceOf(row), lease, connection, pagingIncomplete: row.walk_incomplete === 1 }
}

/** Public reviews that a change to an official source compares with. Older ones are linked by id only. */
export const PUBLIC_REVIEWS_MAX = 2_000

/**
 * Conditions on a public review with this fingerprint: the public pages showed it only after the account changed to an official
 * source, for other accounts. `publicSeq`: the last occurrence that the account got from them.
 */
export function shownOnlySince(fingerprint: string, publicSeq: string): string {
  const some = (compared: string) =>
    `exists (select 1 from occurrences o where o.occurrence_id = ${fingerprint} and o.market not like '%~%'
      and o.seq ${compared} ${publicSeq})`
  return `(${some('>')} and not ${some('<=')})`
}

/** `public_seq` before the change to the official source: no occurrence is later. */
export const NO_PUBLIC_SEQ = Number.MAX_SAFE_INTEGER

/** Reviews of a left source, and public ones, that fan-out compares: the newest. */
export const LINKABLE_MAX = 500

/** The newest public reviews of an app, whoever gets them. The parameters are store and app id. */
export const publicReviewsQuery = (p: (index: number) => string) => `
  select ${REVIEW_COLUMNS} from reviews r where r.store = ${p(1)} and r.app_id = ${p(2)} and r.market not like '%~%'
  order by r.occurred_at desc limit ${LINKABLE_MAX}`

/** Distinguishes an official review that a public one was linked to by content. */
export function consumedKeyOf(officialFingerprint: string): string {
  return seenKeyOf(hashOf(['linked', officialFingerprint]))
}

/** The rows of `official_seen` for reviews: their own keys, and those of the public reviews with their ids. */
export function seenRowsOf(
  reviews: readonly OfficialReview[],
): { readonly key: string; readonly reviewId: string | null }[] {
  return reviews.flatMap(({ review, publicFingerprints }) => [
    { key: seenKeyOf(review.fingerprint), reviewId: null },
    ...publicFingerprints.map((fingerprint) => ({ key: seenKeyOf(fingerprint), reviewId: review.reviewId })),
  ])
}
