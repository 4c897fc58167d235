import type { Store } from './vocabulary.ts'

/**
 * A row of a store's page that is not readable as a review, while other rows are. It goes into quarantine, so that the others are stored
 * and the operator sees it.
 */
export type MalformedRow = {
  /** Identifies the row in its feed: the id of the review, or the hash of the raw form if there is no id. */
  readonly rowKey: string
  /** What is wrong with the row, as a sentence. */
  readonly reason: string
  /** The raw form, cut to `MALFORMED_RAW_CHARS_MAX` characters. */
  readonly raw: string
  /** SHA-256 of the whole raw form, in hex; it differs when the store changed the row. */
  readonly rawHash: string
}

/** A complete review row has 1 to 3 KB. */
export const MALFORMED_RAW_CHARS_MAX = 16 * 1024

/** A row in quarantine as shown to operators. */
export type QuarantinedRow = MalformedRow & {
  readonly feedId: number
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly firstSeenAt: Date
  readonly lastSeenAt: Date
  /** The last change of its raw form, or when it was first seen. */
  readonly changedAt: Date
}

/** Maximum number of rows in quarantine per feed: two pages. A page with more malformed rows has a changed format. */
export const QUARANTINED_ROWS_MAX = 100
