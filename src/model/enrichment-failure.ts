/** Why a review has no enrichment. Stored, counted and shown. */
export const ENRICHMENT_FAILURES = [
  /** The engine threw. */
  'engine_failed',
  /** The engine took longer than a review may take. */
  'over_budget',
  /** The engine's thread died while it read the review: mostly for want of memory. */
  'worker_died',
  /** The process ended each time while the review was being read, or no attempt ended in time. */
  'too_many_tries',
] as const
export type EnrichmentFailure = (typeof ENRICHMENT_FAILURES)[number]
