import { z } from 'zod'
import {
  APP_VERSION_CHARS_MAX,
  COMPETITOR_CHARS_MAX,
  FILTER_VALUES_MAX,
  KEYWORD_CHARS_MAX,
} from '../model/hook-limits.ts'
import { folded } from '../model/keywords.ts'
import { type EventType, SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../model/vocabulary.ts'
import { NOT_BLANK, says, text } from './field.ts'

/** A version, or a prefix that ends with `*`. */
const VERSION = '^[^*]*\\*[ \\t]*$|^[^*]*[^*\\s][^*]*$'

/** Filters of reviews in a watch (docs/contract.md, Filters of reviews). Null and an empty list mean no filter. */
export const reviewFilterFields = {
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
}

const schema = z.object(reviewFilterFields)
export type ReviewFilters = z.infer<typeof schema>

/** The rules between filters of reviews and other fields. */
export function checkReviewFilters(
  body: ReviewFilters & { readonly event_type: EventType },
  context: z.RefinementCtx,
): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (body.event_type !== 'review.created') {
    for (const field of REVIEW_FILTERS) {
      const value = body[field]
      if (value == null || (Array.isArray(value) && value.length === 0)) continue
      refuse(field, `${field} applies only to review.created, not to ${body.event_type}.`)
    }
  }
  if (body.mentions_competitor === false && body.competitors?.length) {
    refuse('competitors', 'competitors cannot be combined with mentions_competitor false.')
  }
  if (body.app_versions?.some((version) => version.trim().slice(0, -1).includes('*'))) {
    refuse('app_versions', 'app_versions may have * only at the end of a version, such as 4.2.*.')
  }
  for (const field of ['keywords', 'excluded_keywords', 'app_versions', 'competitors'] as const) {
    if (body[field]?.some((value) => folded(value) === '')) {
      refuse(field, `${field} must contain visible characters.`)
    }
  }
}

export const REVIEW_FILTERS = Object.keys(reviewFilterFields) as (keyof ReviewFilters)[]

export const countries = anyOf('countries', STOREFRONTS).meta({
  description: 'Several storefronts, instead of `country`.',
})

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
}

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
  const codes = says(
    'languages',
    `a list of at most ${FILTER_VALUES_MAX} ISO 639-1 codes of two lowercase letters`,
  )
  return z
    .array(z.string(codes).regex(/^[a-z]{2}$/, codes), codes)
    .max(FILTER_VALUES_MAX, codes)
    .nullish()
}

function anyOf<const T extends readonly string[]>(field: string, values: T) {
  const list = says(field, `a list of ${values.join(', ')}`)
  return z.array(z.enum(values, list), list).max(values.length, list).nullish()
}

function flag(field: string) {
  return z.boolean(says(field, 'true or false')).nullish()
}
