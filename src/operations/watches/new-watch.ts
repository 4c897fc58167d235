import { limitMicros } from '../../model/decimal.ts'
import type { AppKey, SpikeLimits, Watch, WatchFilter } from '../../model/hook.ts'
import {
  APP_ID_CHARS_MAX,
  DELTA,
  DELTA_WINDOW_HOURS,
  SPIKE_FACTOR,
  SPIKE_MIN_REVIEWS,
  STARS,
  THRESHOLD,
} from '../../model/hook-limits.ts'
import { newId } from '../../model/ids.ts'
import {
  type EventType,
  hasRatingRule,
  STOREFRONTS,
  type Store,
  type Storefront,
} from '../../model/vocabulary.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'
import { type RulesInput, rulesOf } from './review-rules.ts'

/** A watch as a caller describes it. */
export type WatchInput = FilterInput & { readonly store: Store; readonly appId: string }

/** The filter of a watch or of a watch set as a caller describes it. */
export type FilterInput = {
  readonly eventType: EventType
  /** Null and an empty list cover every storefront that the account watches for the app. */
  readonly storefronts: readonly Storefront[] | null
  readonly minStars: number
  readonly maxStars: number
  /** The smallest drop that matches, in stars. */
  readonly delta: number | null
  /** The window of the delta in hours; null compares with the last rating. */
  readonly deltaWindowHours: number | null
  /** The rating below which a drop matches, in stars. */
  readonly threshold: number | null
  /** Filters of reviews. */
  readonly rules: RulesInput | null
  /** Of reviews.spiked; null and an absent limit are the default. */
  readonly spikeMinReviews?: number | null | undefined
  readonly spikeFactor?: number | null | undefined
}

export type WatchPlace = { readonly accountId: string; readonly hookId: string }

/** Validates the input and returns the watch, which matches occurrences from `now` on. Throws `invalid`. */
export function newWatch(
  input: WatchInput,
  { accountId, hookId }: WatchPlace,
  now: Instant,
  id = newId('wat'),
): WithInstants<Watch> {
  return { id, hookId, accountId, setId: null, ...appOf(input), ...filterOf(input), createdAt: now }
}

/** Throws `invalid` for a field called `field`. */
export function appOf({ store, appId: text }: AppKey, field = 'appId'): AppKey {
  // A copied id often has surrounding spaces; ids of the stores never do.
  const appId = text.trim()
  if (!appId.isWellFormed() || appId.includes('\0')) {
    throw invalid(field, 'must be text without NUL and lone surrogates.')
  }
  if (appId === '') throw invalid(field, 'is required.')
  if ([...appId].length > APP_ID_CHARS_MAX)
    throw invalid(field, `must have at most ${APP_ID_CHARS_MAX} characters.`)
  return { store, appId }
}

/** Throws `invalid`. */
export function filterOf(input: FilterInput): WatchFilter {
  const { eventType, storefronts, minStars, maxStars, delta, deltaWindowHours, threshold } = input
  requireInRange('minStars', minStars, STARS)
  requireInRange('maxStars', maxStars, STARS)
  requireInRange('delta', delta, DELTA)
  requireInRange('threshold', threshold, THRESHOLD)
  requireInRange('deltaWindowHours', deltaWindowHours, DELTA_WINDOW_HOURS)
  if (minStars > maxStars) {
    throw invalid('minStars', `must be at most maxStars: ${minStars} is above ${maxStars}.`)
  }
  if (hasRatingRule(eventType) && delta === null && threshold === null) {
    throw invalid('delta', `or threshold is required for ${eventType}.`)
  }
  if (deltaWindowHours !== null) {
    if (!Number.isInteger(deltaWindowHours)) throw invalid('deltaWindowHours', 'must be a whole number.')
    if (!hasRatingRule(eventType) || delta === null) {
      throw invalid('deltaWindowHours', 'requires rating.dropped or rating.recovered, and delta.')
    }
  }
  const rules = rulesOf(input.rules)
  if (eventType !== 'review.created' && rules !== null) {
    throw invalid(Object.keys(rules)[0] ?? 'rules', `applies only to review.created, not to ${eventType}.`)
  }
  return {
    eventType,
    storefronts: storefronts?.length ? STOREFRONTS.filter((each) => storefronts.includes(each)) : null,
    minStars,
    maxStars,
    deltaMicros: delta === null ? null : limitMicros(delta),
    deltaWindowHours,
    thresholdMicros: threshold === null ? null : limitMicros(threshold),
    rules,
    spike: spikeOf(input),
  }
}

function spikeOf({ eventType, spikeMinReviews, spikeFactor }: FilterInput): SpikeLimits | null {
  requireInRange('spikeMinReviews', spikeMinReviews, SPIKE_MIN_REVIEWS)
  requireInRange('spikeFactor', spikeFactor, SPIKE_FACTOR)
  if (spikeMinReviews != null && !Number.isInteger(spikeMinReviews)) {
    throw invalid('spikeMinReviews', 'must be a whole number.')
  }
  if (eventType === 'reviews.spiked') {
    return {
      minReviews: spikeMinReviews ?? SPIKE_MIN_REVIEWS.default,
      factor: spikeFactor ?? SPIKE_FACTOR.default,
    }
  }
  if (spikeMinReviews != null) throw invalid('spikeMinReviews', 'requires reviews.spiked.')
  if (spikeFactor != null) throw invalid('spikeFactor', 'requires reviews.spiked.')
  return null
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
