import type { Triage, TriageChange, TriageNote } from '../../model/triage.ts'

/** `atMs` is stored as it is given. */
export type TriageStorage = {
  /**
   * Changes reviews that the account sees, in one commit, and ignores others. Returns those it found, as they were and as they are now.
   * One that would have an assignee who is no member, or more tags than `tagsMax`, stays as it is.
   */
  readonly change: (
    accountId: string,
    changes: readonly (TriageChange & { readonly fingerprint: string })[],
    tagsMax: number,
  ) => Promise<readonly (TriagedReview | RefusedTriage)[]>
  /** False when the account does not see the review. Throws `LimitReached` when it has `max` notes. */
  readonly addNote: (
    accountId: string,
    fingerprint: string,
    note: TriageNote,
    max: number,
  ) => Promise<boolean>
  /** `authorId`: the only author whose note may be removed; undefined for any. */
  readonly removeNote: (
    accountId: string,
    fingerprint: string,
    noteId: string,
    authorId: string | undefined,
  ) => Promise<'removed' | 'missing' | 'not_author'>
}

export type RefusedTriage = {
  readonly fingerprint: string
  readonly refused: 'no_member' | 'too_many_tags'
}

export type TriagedReview = {
  readonly fingerprint: string
  readonly before: Triage
  readonly now: Triage
}
