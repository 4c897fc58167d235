import type { Enrichment, EnrichmentEngine } from '../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { Watch } from '../../model/hook.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import type { ReviewOfApp } from '../../model/review.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { Instant } from '../../runtime/instant.ts'

export type ReviewToEnrich = {
  readonly reviewSeq: number
  readonly lease: string
  readonly review: ReviewOfApp
  /** An event waits for it; of an import, or to be read again, none does. */
  readonly isAwaited: boolean
  /** Claims since its last result, this one included. */
  readonly tries: number
}

/** A watch on an occurrence's app and type with an active or paused hook, and the storefronts that its account covers. */
export type Candidate = {
  readonly watch: Watch
  /** Of its hook. */
  readonly lateReviewsHours: number
  readonly storefronts: readonly Storefront[]
  /**
   * The time of the occurrence in this market that the watch fired on last, if it has a window; else null. Occurrences
   * of the same commit count.
   */
  readonly slideFiredAt: Date | null
  /** The end of the spike that the watch reported last; null without one. Spikes of the same commit count. */
  readonly spikeFiredAt: Date | null
}

/** One event to deliver, with its bytes. */
export type NewEvent = {
  /** As `eventIdOf` computes it: the key for finding the events of an occurrence. */
  readonly eventId: string
  readonly hookId: string
  readonly accountId: string
  readonly body: string
  /** The watches with a window that fired on the occurrence in this market. Stored also if the event exists already. */
  readonly slides?: readonly string[]
  /** The spikes that it reports. Stored also if the event exists already. */
  readonly spikes?: readonly FiredSpike[]
}

export type FiredSpike = {
  readonly watchId: string
  /** The end of its hour. */
  readonly end: Date
}

export type OccurrenceStorage = {
  /**
   * Leases reviews that are queued for enrichment: first those with a pending occurrence, then the others, newest
   * first. The same commit counts the claim as a try. A review with an expired lease is claimed first and alone, since
   * it may have crashed its process and a crash also counts for reviews claimed with it.
   */
  readonly claimForEnrichment: (request: {
    readonly now: Instant
    readonly limit: number
    readonly lease: string
    readonly leaseMs: number
  }) => Promise<ReviewToEnrich[]>
  /**
   * Stores enrichments (null: failed, with the reason), makes their occurrences ready and sets their tries to 0. A
   * failure keeps an earlier enrichment. Fenced by the lease.
   */
  readonly commitEnrichment: (
    results: readonly {
      readonly reviewSeq: number
      readonly lease: string
      readonly enrichment: Enrichment | null
      readonly engine: EnrichmentEngine
      /** Null with an enrichment. */
      readonly failure: EnrichmentFailure | null
    }[],
    now: Instant,
  ) => Promise<void>
  /** Queues them again. `isFree`: the try is not counted. */
  readonly releaseEnrichment: (reviews: readonly ReviewToEnrich[], isFree: boolean) => Promise<void>
  /** How many reviews failed since then and have no enrichment, by reason. */
  readonly enrichmentFailures: (
    since: Instant,
  ) => Promise<readonly { readonly failure: EnrichmentFailure; readonly count: number }[]>
  /** Queues stored texts published since then for enrichment again, without events. Returns how many. */
  readonly enrichAgain: (since: Date) => Promise<number>
  /** The cached enrichment of a model for this content key, or null. */
  readonly cachedEnrichments: (contentKeys: readonly string[]) => Promise<ReadonlyMap<string, Enrichment>>
  readonly cacheEnrichment: (contentKey: string, enrichment: Enrichment, now: Instant) => Promise<void>
  /**
   * Counts `requests` towards the daily limit. False, and nothing counted, when that would exceed the limit. `day` is
   * UTC `YYYY-MM-DD`.
   */
  readonly spendModelRequests: (day: string, requests: number, limit: number) => Promise<boolean>
  /** Slugs of the features that stored reviews of the app request, most frequent first. */
  readonly knownSlugs: (store: Store, appId: string, limit: number) => Promise<string[]>

  /**
   * The commit of fan-out: takes occurrences that are ready or whose wait for enrichment is over, in order of detection. It calls the
   * synchronous `decide` for each, stores one delivery per event whose id is new (it depends on hook and occurrence alone), due at `now`,
   * and marks the occurrences as fanned out; those of spikes are deleted. It then deletes the oldest events of an inbox above
   * `INBOX_EVENTS_MAX`.
   */
  readonly fanOut: (
    request: {
      readonly now: Instant
      readonly limit: number
      readonly expireAfterMs: number
      /** How long reviews are stored: older ones are not known. */
      readonly reviewsKeptMs?: number
    },
    decide: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly NewEvent[],
  ) => Promise<{ readonly occurrences: number; readonly events: number }>
}
