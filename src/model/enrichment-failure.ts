/** Why a review has no enrichment. Stored, counted and displayed. */
export const ENRICHMENT_FAILURES = [
  /** The engine threw. */
  'engine_failed',
  /** The engine exceeded the time limit of a review. */
  'over_budget',
  /** The engine's thread crashed on the review, mostly out of memory. */
  'worker_died',
  /** Every try crashed the process or exceeded its time limit. */
  'too_many_tries',
] as const
export type EnrichmentFailure = (typeof ENRICHMENT_FAILURES)[number]

/** Why the offline engine labelled a review instead of the model server. Counted. */
export const ENRICHMENT_FALLBACKS = [
  'unreachable',
  'timeout',
  'rate_limited',
  'unauthorized',
  'server_error',
  'refused',
  'unreadable',
  'cut_off',
  'invalid_answer',
  'daily_limit',
  'too_short',
  'breaker_open',
  'deadline',
  'disagreement',
] as const
export type EnrichmentFallback = (typeof ENRICHMENT_FALLBACKS)[number]
