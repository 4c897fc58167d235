import type { Review } from '../../../model/review.ts'
import { hexOf, seenKeyOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import type { App } from './coverage.ts'

type KeyRow = { review_key: Uint8Array }

export const SEEN_OF = `select review_key from seen
  where feed_id = ? and review_key in (select unhex(value) from json_each(?))`

export const SEEN_IN_APP = `select s.review_key from feeds f join seen s on s.feed_id = f.id
  where f.store = ? and f.app_id = ? and f.kind = 'reviews'
    and s.review_key in (select unhex(value) from json_each(?))`

/** The `fingerprints` that the feed has seen, with one statement. */
export function seenOf(db: Connection, feedId: number, fingerprints: readonly string[]): Set<string> {
  const rows = db.all<KeyRow>(SEEN_OF, feedId, keysText(fingerprints))
  return matching(fingerprints, rows)
}

/** The `fingerprints` that any market of the app has seen, even one that is no longer polled. */
export function seenInApp(db: Connection, app: App, fingerprints: readonly string[]): Set<string> {
  if (fingerprints.length === 0) return new Set()
  const rows = db.all<KeyRow>(SEEN_IN_APP, app.store, app.appId, keysText(fingerprints))
  return matching(fingerprints, rows)
}

export function recordSeen(db: Connection, feedId: number, reviews: readonly Review[]): void {
  for (const { fingerprint } of reviews) {
    db.run(
      'insert into seen (feed_id, review_key) values (?, ?) on conflict do nothing',
      feedId,
      Buffer.from(seenKeyOf(fingerprint), 'hex'),
    )
  }
}

function keysText(fingerprints: readonly string[]): string {
  return JSON.stringify(fingerprints.map(seenKeyOf))
}

function matching(fingerprints: readonly string[], rows: readonly KeyRow[]): Set<string> {
  const keys = new Set(rows.map((row) => hexOf(row.review_key)))
  return new Set(fingerprints.filter((fingerprint) => keys.has(seenKeyOf(fingerprint))))
}
