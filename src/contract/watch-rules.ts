import type { z } from 'zod'
import type { WatchRules } from '../model/hook.ts'
import { STARS } from '../model/hook-limits.ts'
import { EVENT_TYPES, hasRatingRule, type Storefront } from '../model/vocabulary.ts'
import {
  type FilterInput,
  filterProblems,
  REVIEW_FILTER_FIELDS,
  REVIEW_FILTER_OF_FIELD,
} from '../model/watch-filter.ts'
import { snakeCase } from './field.ts'
import type { FilterBody } from './watch-filters.ts'

/** A filter with the names of the model. */
export function filterInputOf(body: FilterBody): FilterInput {
  return {
    eventType: body.event_type,
    storefronts: storefrontsOf(body),
    minStars: body.min_stars,
    maxStars: body.max_stars,
    delta: body.delta,
    deltaWindowHours: body.delta_window_hours,
    threshold: body.threshold,
    spikeMinReviews: body.spike_min_reviews,
    spikeFactor: body.spike_factor,
    ...reviewFiltersOf(body),
  }
}

function reviewFiltersOf(body: FilterBody): Pick<FilterInput, keyof WatchRules> {
  return Object.fromEntries(REVIEW_FILTER_FIELDS.map((field) => [REVIEW_FILTER_OF_FIELD[field], body[field]]))
}

/** The storefronts of a watch that a caller gives; null for every storefront watched for the app. */
export function storefrontsOf({
  country,
  countries,
}: Pick<FilterBody, 'country' | 'countries'>): readonly Storefront[] | null {
  if (countries != null && countries.length > 0) return countries
  return country == null ? null : [country]
}

/** The rules of a filter that its schema does not express. */
export function checkFilter(body: FilterBody, context: z.RefinementCtx): void {
  const known = new Set(context.issues.map(({ path }) => path?.[0]))
  const refuse = (field: string, problem: string) => {
    if (!known.has(field)) context.addIssue({ code: 'custom', path: [field], message: `${field} ${problem}` })
  }
  for (const { field, problem } of filterProblems(filterInputOf(body))) refuse(snakeCase(field), problem)
  if (body.country != null && body.countries?.length && !body.countries.includes(body.country)) {
    refuse('countries', `must contain country if both are given: it lacks ${body.country}.`)
  }
}

/**
 * The rules between the fields of a watch as JSON Schema, like `checkFilter`. In `dependentSchemas`, because
 * code generators ignore it: with `oneOf` they would create a type for each combination. The rules about
 * `countries` and the target are missing: with them, tools reject the schema as too complex.
 */
export function watchRules() {
  const noFilters = Object.fromEntries(REVIEW_FILTER_FIELDS.map((field) => [field, NOT_GIVEN]))
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
