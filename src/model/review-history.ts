import type { Store } from './vocabulary.ts'

/** `stopped` by a user; `failed` for a reason that a repetition does not change. Both can be resumed. */
export const HISTORY_STATES = ['running', 'done', 'stopped', 'failed'] as const
export type HistoryState = (typeof HISTORY_STATES)[number]

/** The import of all reviews that the official source of an app has. It never creates events. */
export type ReviewHistory = {
  readonly sourceId: number
  readonly store: Store
  readonly appId: string
  readonly state: HistoryState
  readonly startedAt: Date
  readonly updatedAt: Date
  /** Reviews read so far: those that are new here, and those that the account already had. */
  readonly reviews: number
  readonly added: number
  readonly known: number
  /** Rows of Google's reports without a text. */
  readonly ratingsOnly: number
  /** Rows that could not be read. */
  readonly malformed: number
  /** Reviews (Apple) or bytes (Google); null until the store says how many there are. */
  readonly progress: { readonly done: number; readonly total: number } | null
  /** Why the last page failed; null after a good one. */
  readonly problem: string | null
}
