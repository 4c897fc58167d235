import { z } from 'zod'
import {
  APP_VERSION_CHARS_MAX,
  COMPETITOR_CHARS_MAX,
  DELTA,
  DELTA_WINDOW_HOURS,
  FILTER_VALUES_MAX,
  KEYWORD_CHARS_MAX,
  SPIKE_FACTOR,
  SPIKE_MIN_REVIEWS,
  STARS,
  THRESHOLD,
} from '../model/hook-limits.ts'
import { REVIEW_LANGUAGE, REVIEW_LANGUAGES_ALLOWED } from '../model/review-language.ts'
import { EVENT_TYPES, SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../model/vocabulary.ts'
import type { ReviewFilterField } from '../model/watch-filter.ts'
import { EVENT_TYPE_CHOICE, NOT_BLANK, says, text } from './field.ts'

/** A version, or a prefix that ends with `*`. */
const VERSION = '^[^*]*\\*[ \\t]*$|^[^*]*[^*\\s][^*]*$'

/** Filters of reviews in a watch (docs/contract.md, Filters of reviews). Null and an empty list mean no filter. */
const reviewFilterFields = {
  keywords: texts('keywords', KEYWORD_CHARS_MAX).meta({
    description: 'Words or phrases. Title, body or English summary must contain one of them.',
  }),
  excluded_keywords: texts('excluded_keywords', KEYWORD_CHARS_MAX).meta({
    description: 'Words or phrases. Title, body and English summary must contain none of them.',
  }),
  app_versions: texts('app_versions', APP_VERSION_CHARS_MAX, VERSION).meta({
    description: 'Versions of the app, such as `4.2.1`, or prefixes such as `4.2.*`.',
  }),
  languages: languages().meta({ description: 'Languages of the text, ISO 639-1.' }),
  sentiments: anyOf('sentiments', SENTIMENTS),
  themes: anyOf('themes', THEMES).meta({ description: 'The review must have one of these themes.' }),
  severities: anyOf('severities', SEVERITIES),
  is_bug_report: flag('is_bug_report').meta({ description: 'Only reviews that report a bug, or do not.' }),
  is_feature_request: flag('is_feature_request').meta({
    description: 'Only reviews that request a feature, or do not.',
  }),
  mentions_competitor: flag('mentions_competitor').meta({
    description: 'Only reviews that mention a competitor, or do not.',
  }),
  competitors: texts('competitors', COMPETITOR_CHARS_MAX).meta({
    description: 'Names of competitors, ignoring case. The review must name one of them.',
  }),
} satisfies Readonly<Record<ReviewFilterField, z.ZodType>>

const countries = anyOf('countries', STOREFRONTS).meta({
  description: 'Several storefronts, instead of `country`.',
})

const eventType = says('event_type', EVENT_TYPE_CHOICE)
const country = says('country', `one of ${STOREFRONTS.join(', ')}`)

/** What a watch matches of its app. */
export const filterFields = {
  event_type: z.enum(EVENT_TYPES, eventType).meta({ description: 'The type of event the hook receives.' }),
  min_stars: stars('min_stars').meta({
    default: STARS.min,
    description: 'Lower bound of the star band of `review.created`; at most `max_stars`.',
  }),
  max_stars: stars('max_stars').meta({
    default: STARS.max,
    description: 'Upper bound of the star band of `review.created`.',
  }),
  delta: number('delta', DELTA).meta({
    description:
      '`rating.dropped` fires when the rating falls by at least this value, and `rating.recovered` when it has made up for such a drop. Either it or `threshold` is required.',
  }),
  delta_window_hours: window('delta_window_hours', DELTA_WINDOW_HOURS).meta({
    description:
      'The delta counts from the highest rating of the last hours instead of the last rating. Requires `delta`.',
  }),
  threshold: number('threshold', THRESHOLD).meta({
    description:
      '`rating.dropped` fires when the rating falls below this value, and `rating.recovered` when it has made up for such a drop.',
  }),
  spike_min_reviews: window('spike_min_reviews', SPIKE_MIN_REVIEWS).meta({
    description: `\`reviews.spiked\` fires when an hour has at least this many reviews with 1 or 2 stars, ${SPIKE_MIN_REVIEWS.default} by default.`,
  }),
  spike_factor: number('spike_factor', SPIKE_FACTOR).meta({
    description: `\`reviews.spiked\` fires when an hour has at least this many times the usual number, ${SPIKE_FACTOR.default} by default.`,
  }),
  country: z.enum(STOREFRONTS, country).nullish().meta({
    description: 'One storefront. By default every storefront that is watched for the app.',
  }),
  countries,
  ...reviewFilterFields,
}

const schema = z.object(filterFields)
export type FilterBody = z.infer<typeof schema>

/** The same filters in an answer; null where the watch has none. */
export const reviewFilterView = {
  keywords: listView(z.string()),
  excluded_keywords: listView(z.string()),
  app_versions: listView(z.string()),
  languages: listView(z.string()),
  sentiments: listView(z.enum(SENTIMENTS)),
  themes: listView(z.enum(THEMES)),
  severities: listView(z.enum(SEVERITIES)),
  is_bug_report: z.boolean().nullable(),
  is_feature_request: z.boolean().nullable(),
  mentions_competitor: z.boolean().nullable(),
  competitors: listView(z.string()),
} satisfies Readonly<Record<ReviewFilterField, z.ZodType>>

export const countriesView = listView(z.enum(STOREFRONTS)).meta({
  description: 'The storefronts of the watch. Null covers every storefront watched for the app.',
})

function listView<T extends z.ZodType>(value: T) {
  return z.array(value).nullable()
}

function texts(field: string, charsMax: number, pattern: string = NOT_BLANK) {
  const list = says(field, `a list of at most ${FILTER_VALUES_MAX} texts`)
  const value = `a list of texts of 1 to ${charsMax} characters`
  return z
    .array(text(field, value, charsMax).meta({ pattern }), list)
    .max(FILTER_VALUES_MAX, list)
    .nullish()
}

function languages() {
  const codes = says('languages', `a list of at most ${FILTER_VALUES_MAX} ${REVIEW_LANGUAGES_ALLOWED}`)
  return z.array(z.string(codes).regex(REVIEW_LANGUAGE, codes), codes).max(FILTER_VALUES_MAX, codes).nullish()
}

function anyOf<const T extends readonly string[]>(field: string, values: T) {
  const list = says(field, `a list of ${values.join(', ')}`)
  return z.array(z.enum(values, list), list).max(values.length, list).nullish()
}

function flag(field: string) {
  return z.boolean(says(field, 'true or false')).nullish()
}

function stars(field: string) {
  const message = says(field, 'a whole number from 1 to 5')
  return z.int(message).min(STARS.min, message).max(STARS.max, message).nullish()
}

function window(field: string, range: { readonly min: number; readonly max: number }) {
  const message = says(field, `a whole number from ${range.min} to ${range.max}`)
  return z.int(message).min(range.min, message).max(range.max, message).nullish()
}

function number(field: string, range: { readonly min: number; readonly max: number }) {
  const message = says(field, `a number from ${range.min} to ${range.max}`)
  return z.number(message).min(range.min, message).max(range.max, message).nullish()
}
