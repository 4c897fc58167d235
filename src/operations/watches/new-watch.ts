import { limitMicros } from '../../model/decimal.ts'
import type { Watch, WatchRules } from '../../model/hook.ts'
import { APP_ID_CHARS_MAX, DELTA, STARS, THRESHOLD } from '../../model/hook-limits.ts'
import { newId } from '../../model/ids.ts'
import type { EventType, Store, Storefront } from '../../model/vocabulary.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'

/** A watch as a caller describes it. */
export type WatchInput = {
  readonly store: Store
  readonly appId: string
  readonly eventType: EventType
  /** Null covers every storefront that the account watches for the app. */
  readonly storefront: Storefront | null
  readonly minStars: number
  readonly maxStars: number
  /** The smallest drop that matches, in stars. */
  readonly delta: number | null
  /** The rating below which a drop matches, in stars. */
  readonly threshold: number | null
  readonly rules: WatchRules | null
}

export type WatchPlace = { readonly accountId: string; readonly hookId: string }

/** Validates the input and returns the watch, which matches occurrences from `now` on. Throws `invalid`. */
export function newWatch(
  input: WatchInput,
  { accountId, hookId }: WatchPlace,
  now: Date,
  id = newId('wat'),
): Watch {
  const { store, eventType, storefront, minStars, maxStars, delta, threshold, rules } = input
  // A copied id often has surrounding spaces; ids of the stores never do.
  const appId = input.appId.trim()
  if (!appId.isWellFormed() || appId.includes('\0')) {
    throw invalid('appId', 'must be text without NUL and lone surrogates.')
  }
  if (appId === '') throw invalid('appId', 'is required.')
  if ([...appId].length > APP_ID_CHARS_MAX)
    throw invalid('appId', `must have at most ${APP_ID_CHARS_MAX} characters.`)
  requireInRange('minStars', minStars, STARS)
  requireInRange('maxStars', maxStars, STARS)
  requireInRange('delta', delta, DELTA)
  requireInRange('threshold', threshold, THRESHOLD)
  if (minStars > maxStars) {
    throw invalid('minStars', `must be at most maxStars: ${minStars} is above ${maxStars}.`)
  }
  if (eventType === 'rating.dropped' && delta === null && threshold === null) {
    throw invalid('delta', 'or threshold is required for rating.dropped.')
  }
  return {
    id,
    hookId,
    accountId,
    store,
    appId,
    eventType,
    storefront,
    minStars,
    maxStars,
    deltaMicros: delta === null ? null : limitMicros(delta),
    thresholdMicros: threshold === null ? null : limitMicros(threshold),
    rules,
    createdAt: now,
  }
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
