import type { Review } from '../../../model/review.ts'
import { seenKeyOf } from '../../values.ts'
import type { Queries, Transaction } from '../connect.ts'
import type { App } from './coverage.ts'

// Differs from sqlite: a key is a uuid, which stores 16 bytes without a length prefix.
type KeyRow = { review_key: string }

/** The `fingerprints` that the feed has seen, with one statement. */
export async function seenOf(
  db: Queries,
  feedId: number,
  fingerprints: readonly string[],
): Promise<Set<string>> {
  const rows = await db.all<KeyRow>(
    'select review_key from seen where feed_id = $1 and review_key = any($2::uuid[])',
    feedId,
    fingerprints.map(seenKeyOf),
  )
  return matching(fingerprints, rows)
}

/** The `fingerprints` that any market of the app has seen, even one that is no longer polled. */
export async function seenInApp(
  db: Queries,
  app: App,
  fingerprints: readonly string[],
): Promise<Set<string>> {
  if (fingerprints.length === 0) return new Set()
  const rows = await db.all<KeyRow>(
    `select s.review_key from feeds f join seen s on s.feed_id = f.id
     where f.store = $1 and f.app_id = $2 and f.kind = 'reviews' and s.review_key = any($3::uuid[])`,
    app.store,
    app.appId,
    fingerprints.map(seenKeyOf),
  )
  return matching(fingerprints, rows)
}

export async function recordSeen(tx: Transaction, feedId: number, reviews: readonly Review[]): Promise<void> {
  if (reviews.length === 0) return
  await tx.run(
    'insert into seen (feed_id, review_key) select $1, unnest($2::uuid[]) on conflict do nothing',
    feedId,
    reviews.map(({ fingerprint }) => seenKeyOf(fingerprint)),
  )
}

function matching(fingerprints: readonly string[], rows: readonly KeyRow[]): Set<string> {
  const keys = new Set(rows.map((row) => row.review_key.replaceAll('-', '')))
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
