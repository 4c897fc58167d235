import { hashOf } from '../../../model/canonical.ts'
import { coveredUntilOf, STORE_LAG_MS } from '../../../model/review-link.ts'
import type { SourceState } from '../../../model/review-source.ts'
import type { ConnectionKind } from '../../../model/store-connection.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, flag, instant, integer, named, nullable, type ObjectOf, text, word } from '../../columns.ts'
import { msOf, seenKeyOf } from '../../values.ts'
import { get, type Work } from '../../work.ts'

/** Of `review_sources s`. */
const STATE = {
  id: integer,
  accountId: text,
  store: word<Store>(),
  appId: text,
  state: word<SourceState>(),
  connectionId: nullable(text),
  changedAt: instant,
  lastOkAt: nullable(instant),
}

/** What users see. */
export const SOURCE_VIEW = columns(
  {
    ...STATE,
    nextPollAt: nullable(instant),
    lastPolledAt: nullable(instant),
    failingSince: nullable(instant),
    failures: integer,
    problem: nullable(text),
  },
  's',
)

/** Of `review_sources s join store_connections c`. */
export const CONNECTION_OF_SOURCE = {
  connection: {
    id: named('s.connection_id', text),
    accountId: named('s.account_id', text),
    kind: named('c.kind', word<ConnectionKind>()),
    credentials: named('c.credentials', text),
  },
} as const

export const LEASED_SOURCE = columns(
  { ...SOURCE_VIEW.shape, pagingIncomplete: named('s.walk_incomplete', flag), ...CONNECTION_OF_SOURCE },
  's',
)

/** What commits and fan-out use. */
export const SOURCE = columns(
  {
    ...STATE,
    /** The last occurrence of the public pages before the last change to the official source; `first…`: the first change. */
    publicSeq: nullable(integer),
    firstPublicSeq: nullable(integer),
    publicUntil: nullable(instant),
  },
  's',
)

export type StoredSource = ObjectOf<typeof SOURCE.shape>

/** How far the clock is ahead of its reference. */
export function* clockAheadMs(): Work<number> {
  return (yield* get<{ ahead_ms: number }>('select ahead_ms from clock'))?.ahead_ms ?? 0
}

/** The oldest date of public reviews that an official source may not have shown at its last good poll. */
export function unshownSinceMs({ lastOkAt }: Pick<StoredSource, 'lastOkAt'>, aheadMs: number): number {
  return lastOkAt === null ? 0 : msOf(coveredUntilOf(lastOkAt, aheadMs, null)) - STORE_LAG_MS
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

/** Distinguishes an official review that a public one was linked to by content. */
export function consumedKeyOf(officialFingerprint: string): string {
  return seenKeyOf(hashOf(['linked', officialFingerprint]))
}
