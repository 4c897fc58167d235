import type { z } from 'zod'
import { STARS } from '../model/hook-limits.ts'
import { EVENT_TYPES, type EventType, hasRatingRule, type Storefront } from '../model/vocabulary.ts'
import { checkReviewFilters, type ReviewFilters } from './watch-filters.ts'

/** The fields of a watch with rules between them. */
export type WatchFilterBody = {
  readonly event_type: EventType
  readonly min_stars?: number | null | undefined
  readonly max_stars?: number | null | undefined
  readonly delta?: number | null | undefined
  readonly delta_window_hours?: number | null | undefined
  readonly threshold?: number | null | undefined
  readonly spike_min_reviews?: number | null | undefined
  readonly spike_factor?: number | null | undefined
  readonly country?: Storefront | null | undefined
  readonly countries?: readonly Storefront[] | null | undefined
} & ReviewFilters

/** The rules between fields of a filter. */
export function checkFilter(body: WatchFilterBody, context: z.RefinementCtx): void {
  const minStars = body.min_stars ?? STARS.min
  const maxStars = body.max_stars ?? STARS.max
  // A value outside its range already has an issue.
  if (minStars > maxStars && minStars <= STARS.max && maxStars >= STARS.min) {
    context.addIssue({
      code: 'custom',
      path: ['min_stars'],
      message: `min_stars must be at most max_stars: ${minStars} is above ${maxStars}.`,
    })
  }
  if (hasRatingRule(body.event_type) && body.delta == null && body.threshold == null) {
    context.addIssue({
      code: 'custom',
      path: ['delta'],
      message: `delta is required for ${body.event_type}: a number from 0 to 4 (or threshold, a number from 1 to 5).`,
    })
  }
  if (body.country != null && body.countries?.length && !body.countries.includes(body.country)) {
    context.addIssue({
      code: 'custom',
      path: ['countries'],
      message: `countries must contain country if both are given: it lacks ${body.country}.`,
    })
  }
  if (body.delta_window_hours != null && (!hasRatingRule(body.event_type) || body.delta == null)) {
    context.addIssue({
      code: 'custom',
      path: ['delta_window_hours'],
      message:
        'delta_window_hours requires the event_type rating.dropped and delta, or rating.recovered and delta.',
    })
  }
  for (const field of ['spike_min_reviews', 'spike_factor'] as const) {
    if (body[field] == null || body.event_type === 'reviews.spiked') continue
    const message = `${field} requires the event_type reviews.spiked.`
    context.addIssue({ code: 'custom', path: [field], message })
  }
  checkReviewFilters(body, context)
}

/**
 * The rules between the fields of a watch as JSON Schema, like `checkFilter`. In `dependentSchemas`, because
 * code generators ignore it: with `oneOf` they would create a type for each combination. The rules about
 * `countries` and the target are missing: with them, tools reject the schema as too complex.
 */
export function watchRules(reviewFilters: readonly string[]) {
  const noFilters = Object.fromEntries(reviewFilters.map((field) => [field, NOT_GIVEN]))
  const noSpike = { spike_min_reviews: NULL, spike_factor: NULL }
  const ofRating = { event_type: { enum: EVENT_TYPES.filter(hasRatingRule) }, ...noFilters, ...noSpike }
  return {
    event_type: {
      anyOf: [
        { properties: { event_type: { const: 'review.created' }, delta_window_hours: NULL, ...noSpike } },
        { properties: { event_type: { const: 'reviews.spiked' }, delta_window_hours: NULL, ...noFilters } },
        { properties: { ...ofRating, delta: { type: 'number' } }, required: ['delta'] },
        {
          properties: { ...ofRating, threshold: { type: 'number' }, delta_window_hours: NULL },
          required: ['threshold'],
        },
      ],
    },
    // `min_stars` is at most `max_stars` if a number of stars is between them.
    min_stars: {
      anyOf: Array.from({ length: STARS.max }, (_, index) => ({
        properties: { min_stars: { maximum: index + 1 }, max_stars: { minimum: index + 1 } },
      })),
    },
    competitors: {
      anyOf: [
        { properties: { competitors: NOT_GIVEN } },
        { properties: { mentions_competitor: { enum: [true, null] } } },
      ],
    },
  }
}

const NULL = { type: 'null' }
/** Null and an empty list mean no filter. */
const NOT_GIVEN = { enum: [null, []] }
