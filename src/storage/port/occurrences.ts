import type { Enrichment, EnrichmentEngine } from '../../model/enrichment.ts'
import type { EnrichmentFailure } from '../../model/enrichment-failure.ts'
import type { Watch } from '../../model/hook.ts'
import type { Occurrence } from '../../model/occurrence.ts'
import type { ReviewOfApp } from '../../model/review.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'

export type ReviewToEnrich = {
  readonly reviewSeq: number
  readonly lease: string
  readonly review: ReviewOfApp
  /** Claims since its last result, this one included. */
  readonly tries: number
}

/** A watch on an occurrence's app and type, whose hook is not gone, and what its account watches of that app. */
export type Candidate = { readonly watch: Watch; readonly storefronts: readonly Storefront[] }

/** One event to deliver: the bytes are made here, once. */
export type NewEvent = {
  /** That of `eventIdOf`: by it the events of an occurrence are found. */
  readonly eventId: string
  readonly hookId: string
  readonly accountId: string
  readonly body: string
}

export type OccurrenceStorage = {
  /**
   * Leases reviews whose text waits for enrichment: those an occurrence waits for first, then the rest, newest first. The same
   * commit counts the claim as a try. A review whose lease ended comes first and alone: it may have ended the process that
   * read it, and others claimed with it would be counted with it.
   */
  readonly claimForEnrichment: (request: {
    readonly now: Date
    readonly limit: number
    readonly lease: string
    readonly leaseMs: number
  }) => Promise<ReviewToEnrich[]>
  /**
   * Stores enrichments (null: gave up, with the reason) and makes the occurrences that wait for them ready; tries count from 0
   * again. An earlier enrichment stays when there is none now. Fenced by the lease.
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
    now: Date,
  ) => Promise<void>
  /** Queues them again. `isFree`: the try is not counted. */
  readonly releaseEnrichment: (reviews: readonly ReviewToEnrich[], isFree: boolean) => Promise<void>
  /** How many reviews were given up since then and have no enrichment, by reason. */
  readonly enrichmentFailures: (
    since: Date,
  ) => Promise<readonly { readonly failure: EnrichmentFailure; readonly count: number }[]>
  /** Queues stored texts published since then for enrichment again; events are not made. How many were queued. */
  readonly enrichAgain: (since: Date) => Promise<number>
  /** An enrichment made before for the same content key by a model, or null. Spares asking twice. */
  readonly cachedEnrichments: (contentKeys: readonly string[]) => Promise<ReadonlyMap<string, Enrichment>>
  readonly cacheEnrichment: (contentKey: string, enrichment: Enrichment, now: Date) => Promise<void>
  /** Counts `requests` towards the day's limit; false, and nothing counted, when it would be passed. `day` is UTC `YYYY-MM-DD`. */
  readonly spendModelRequests: (day: string, requests: number, limit: number) => Promise<boolean>
  /** Slugs of the features that stored reviews of the app ask for, the most often asked for first. */
  readonly knownSlugs: (store: Store, appId: string, limit: number) => Promise<string[]>

  /**
   * The commit of fan-out: takes ready occurrences in order of detection (also those whose wait for enrichment is
   * over), calls the synchronous `decide` for each, stores one delivery per event whose id is new, due at `now`,
   * and marks the occurrences as fanned out.
   */
  readonly fanOut: (
    request: { readonly now: Date; readonly limit: number; readonly giveUpAfterMs: number },
    decide: (occurrence: Occurrence, candidates: readonly Candidate[]) => readonly NewEvent[],
  ) => Promise<{ readonly occurrences: number; readonly events: number }>
}
