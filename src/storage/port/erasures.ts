import type { Store } from '../../model/vocabulary.ts'

/** Reviews whose texts are erased: those of an author of a store, or of an app. */
export type ErasureTarget = { readonly store: Store } & (
  | { readonly author: string; readonly appId?: undefined }
  | { readonly appId: string; readonly author?: undefined }
)

/** What was deleted. `accounts`: those that had an event, a test event, an answer or a copy of a review. */
export type Erased = {
  readonly reviews: number
  readonly events: number
  readonly accounts: readonly string[]
}

/** A part of a table that was searched. `next` is where the next part begins; null at the end. */
export type SearchedPart = { readonly fingerprints: readonly string[]; readonly next: number | null }

export type ErasureStorage = {
  /**
   * Deletes the texts of a review in one commit: the review with its enrichment, its occurrences, its events with their deliveries and
   * attempts, test events that show it, answers to it, and cached answers of the model server with its summary. Its fingerprint is kept, so
   * that no poll and no import stores the review again; the review stays seen. Without `ownerId` for all accounts: also every copy of the
   * review that an account has for itself, or gets later, and raw pages of its app. With it only the copies of that account. `cached`:
   * `keep` leaves the cached answers, whose search reads all of them, to `forgetAnswers`; absent: `forget`.
   */
  readonly erase: (fingerprint: string, ownerId: string | null, cached?: 'forget' | 'keep') => Promise<Erased>
  /** The stored reviews of the target with numbers after `after`, in a part of the table. */
  readonly reviewsOf: (target: ErasureTarget, after: number) => Promise<SearchedPart>
  /** The same for reviews of stored events: retention may have deleted the review before its dead letter. */
  readonly eventsOf: (target: ErasureTarget, after: number) => Promise<SearchedPart>
  /** Deletes up to `limit` cached answers of the model server: also those about earlier texts of a review. Returns their number. */
  readonly forgetAnswers: (limit: number) => Promise<number>
}
