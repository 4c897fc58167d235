import type { AppKey } from '../../../model/hook.ts'
import type { Review } from '../../../model/review.ts'
import { hexOf, seenKeyOf } from '../../values.ts'
import { all, runRows, type Work } from '../../work.ts'

/** A key is a uuid on PostgreSQL, which stores 16 bytes without a length prefix. */
export const SEEN_OF = {
  sqlite: `select review_key from seen
    where feed_id = ?1 and review_key in (select unhex(value) from json_each(?2))`,
  postgres: 'select review_key from seen where feed_id = ?1 and review_key = any(?2::uuid[])',
}

export const SEEN_IN_APP = {
  sqlite: `select s.review_key from feeds f join seen s on s.feed_id = f.id
    where f.store = ?1 and f.app_id = ?2 and f.kind = 'reviews'
      and s.review_key in (select unhex(value) from json_each(?3))`,
  postgres: `select s.review_key from feeds f join seen s on s.feed_id = f.id
    where f.store = ?1 and f.app_id = ?2 and f.kind = 'reviews' and s.review_key = any(?3::uuid[])`,
}

const RECORD = {
  sqlite: 'insert into seen (feed_id, review_key) values (?1, unhex(?2)) on conflict do nothing',
  postgres: `insert into seen (feed_id, review_key) select * from unnest(?1::integer[], ?2::uuid[])
    on conflict do nothing`,
}

type KeyRow = { review_key: Uint8Array | string }

/** The `fingerprints` that the feed has seen, with one statement. */
export function* seenOf(feedId: number, fingerprints: readonly string[]): Work<Set<string>> {
  return matching(fingerprints, yield* all<KeyRow>(SEEN_OF, feedId, fingerprints.map(seenKeyOf)))
}

/** The `fingerprints` that any market of the app has seen, even one that is no longer polled. */
export function* seenInApp({ store, appId }: AppKey, fingerprints: readonly string[]): Work<Set<string>> {
  if (fingerprints.length === 0) return new Set()
  return matching(fingerprints, yield* all<KeyRow>(SEEN_IN_APP, store, appId, fingerprints.map(seenKeyOf)))
}

export function recordSeen(feedId: number, reviews: readonly Review[]): Work<number> {
  return runRows(
    RECORD,
    reviews.map(({ fingerprint }) => [feedId, seenKeyOf(fingerprint)]),
  )
}

function matching(fingerprints: readonly string[], rows: readonly KeyRow[]): Set<string> {
  const keys = new Set(
    rows.map(({ review_key: key }) => (typeof key === 'string' ? key.replaceAll('-', '') : hexOf(key))),
  )
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
