import type { Store } from './vocabulary.ts'

/**
 * A row of a store's page that cannot be read as a review, while the other rows can. It is quarantined, so that the
 * others are stored and the operator sees it.
 */
export type MalformedRow = {
  /** The same for one row of a feed each time it is shown: the review's id, or the hash of its raw form without one. */
  readonly rowKey: string
  /** A sentence on what is wrong with it. */
  readonly reason: string
  /** Its raw form, at most `MALFORMED_RAW_CHARS_MAX` characters. */
  readonly raw: string
  /** SHA-256 of the whole raw form, in hex: another one means that the store changed the row. */
  readonly rawHash: string
}

/** Chosen: a whole review row has 1 to 3 KB. */
export const MALFORMED_RAW_CHARS_MAX = 16 * 1024

/** A quarantined row as the operator sees it. */
export type QuarantinedRow = MalformedRow & {
  readonly feedId: number
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  /** When its raw form last changed; before a change, when it was first seen. */
  readonly changedAt: Date
}

/** Rows that one feed keeps in quarantine at most. Chosen: twice a page; a page with more is a changed format. */
export const QUARANTINED_ROWS_MAX = 100
