import { z } from 'zod'
import {
  APP_ID_CHARS_MAX,
  HOOK_DESCRIPTION_CHARS_MAX,
  HOOK_NAME_CHARS_MAX,
  LATE_REVIEWS_HOURS,
  RATE_PER_SECOND,
  WATCHES_MAX,
} from '../model/hook-limits.ts'
import type { HookOptions } from '../model/hook-options.ts'
import { REDIRECT_RULES } from '../model/redirects.ts'
import { TARGET_TYPES } from '../model/target.ts'
import { EVENT_TYPES, HOOK_STATUSES, STOREFRONTS, STORES } from '../model/vocabulary.ts'
import { NOT_BLANK, OBJECT, oneOf, says, text } from './field.ts'
import { messageSchedule, messageScheduleView } from './message-schedule.ts'
import { hasTargetUrl, targetSettings, targetType } from './target.ts'
import { targetView } from './target-view.ts'
import { countriesView, filterFields, reviewFilterView } from './watch-filters.ts'
import { checkFilter, watchRules } from './watch-rules.ts'

/** docs/contract.md, Hooks. */
export const EXTERNAL_REF_CHARS_MAX = 256

/** Always accepted, in addition to the operator's platform names (docs/contract.md, Hooks). */
export const SOURCES = ['api', 'platform_1', 'platform_2', 'platform_3'] as const
export const DEFAULT_SOURCE = 'api'

const store = says('store', '"apple" or "google"')
const appId = `text: the numeric id for apple, the package name for google; at most ${APP_ID_CHARS_MAX} characters`

/** The reason why a target URL cannot be called, as a sentence; null when it can be called. */
export type TargetUrlProblemOf = (targetUrl: string) => string | null

const lateHours = says(
  'late_reviews_hours',
  `a whole number of hours from ${LATE_REVIEWS_HOURS.min} to ${LATE_REVIEWS_HOURS.max}`,
)

/** The fields of the options of a hook. */
const hookOptions = {
  cloudevents: z
    .boolean(says('cloudevents', 'true or false'))
    .nullish()
    .meta({ default: false, description: 'Requests also have the headers of CloudEvents 1.0.' }),
  redirect: z.enum(REDIRECT_RULES, says('redirect', '"fail" or "accept"')).nullish().meta({
    default: 'fail',
    description:
      '`accept`: an answer with a 3xx status, except 307 and 308, is success. Redirects are never followed.',
  }),
  late_reviews_hours: z
    .int(lateHours)
    .min(LATE_REVIEWS_HOURS.min, lateHours)
    .max(LATE_REVIEWS_HOURS.max, lateHours)
    .nullish()
    .meta({
      default: 0,
      description:
        'Also send reviews written up to this many hours before a watch was created, if the store first shows them after that.',
    }),
}

const hookOptionsView = {
  cloudevents: z.boolean().meta({ description: 'Requests have the headers of CloudEvents 1.0.' }),
  redirect: z.enum(REDIRECT_RULES).meta({ description: 'Whether an answer with a 3xx status is success.' }),
  late_reviews_hours: z.int().meta({
    description:
      'How many hours before a watch a review may have been written, if the store first shows it after the watch was created.',
  }),
}

/** The option of each field. */
export const HOOK_OPTION_OF_FIELD = {
  cloudevents: 'cloudEvents',
  redirect: 'redirect',
  late_reviews_hours: 'lateReviewsHours',
} as const satisfies Record<keyof typeof hookOptions, keyof HookOptions>

type OptionField = keyof typeof HOOK_OPTION_OF_FIELD
export const HOOK_OPTION_FIELDS = Object.keys(HOOK_OPTION_OF_FIELD) as OptionField[]

/** The fields of a watch. */
export const ruleFields = {
  store: z.enum(STORES, store).meta({ description: 'Store of the app.' }),
  app_id: text('app_id', appId, APP_ID_CHARS_MAX)
    .refine((value) => value.trim() !== '', says('app_id', appId))
    .meta({
      pattern: NOT_BLANK,
      description: 'Store-native id: numeric for `apple`, package name for `google`.',
    }),
  ...filterFields,
}

function targetUrl(problemOf: TargetUrlProblemOf) {
  return z
    .string(says('target_url', 'an http or https URL'))
    .superRefine((url, context) => {
      const problem = problemOf(url)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    })
    .meta({
      // No format: "pull:" is no URI for some generated clients.
      maxLength: 2048,
      examples: ['https://example.com/radar'],
      description: 'Callback URL; http or https. `pull:` creates a hook whose events are only pulled.',
    })
}

/**
 * The body of subscribe (docs/contract.md, Hooks). Numbers must be JSON numbers of the right type, `null` means not given, unknown fields
 * are ignored. `sources` are the allowed values of `source`.
 */
export function subscribeBodyOf(sources: readonly string[], targetUrlProblemOf: TargetUrlProblemOf) {
  const source = says('source', oneOf(sources))
  return z
    .object(
      {
        target_type: targetType,
        target_url: targetUrl(targetUrlProblemOf).nullish(),
        target_settings: targetSettings,
        ...ruleFields,
        ...hookOptions,
        source: z
          .string(source)
          .refine((value) => sources.includes(value), source)
          .nullish()
          .meta({
            enum: [...sources, null],
            default: DEFAULT_SOURCE,
            description: 'The program that created the hook.',
          }),
        external_ref: text(
          'external_ref',
          `text of at most ${EXTERNAL_REF_CHARS_MAX} characters`,
          EXTERNAL_REF_CHARS_MAX,
          0,
        )
          .nullish()
          .meta({ description: "The caller's own correlation text." }),
      },
      OBJECT,
    )
    .superRefine(checkFilter)
    .refine(hasTargetUrl, {
      path: ['target_url'],
      error: 'target_url is required: it must be an http or https URL.',
      when: () => true,
    })
    .meta({
      id: 'SubscribeBody',
      dependentSchemas: watchRules(),
      examples: [
        {
          target_url: 'https://example.com/radar',
          store: 'apple',
          app_id: '310633997',
          event_type: 'review.created',
          max_stars: 3,
          external_ref: 'support inbox',
        },
      ],
    })
}

export type SubscribeBody = z.infer<ReturnType<typeof subscribeBodyOf>>

/** A watch as a caller gives it. */
export const watchBody = z
  .object(ruleFields, { error: 'Each watch must be a JSON object.' })
  .superRefine(checkFilter)
  .meta({
    id: 'WatchBody',
    dependentSchemas: watchRules(),
    examples: [{ store: 'apple', app_id: '310633997', event_type: 'review.created', max_stars: 3 }],
  })
export type WatchBody = z.infer<typeof watchBody>

const rate = says('rate_per_second', `a number from ${RATE_PER_SECOND.min} to ${RATE_PER_SECOND.max}`)
const watchList = says('watches', `a list of 1 to ${WATCHES_MAX} watches`)

/** The fields of a hook besides its target and its watches. */
export const hookSettings = {
  name: note('name', HOOK_NAME_CHARS_MAX).meta({ description: 'Shown in the console.' }),
  description: note('description', HOOK_DESCRIPTION_CHARS_MAX).meta({ description: 'Shown in the console.' }),
  rate_per_second: z
    .number(rate)
    .min(RATE_PER_SECOND.min, rate)
    .max(RATE_PER_SECOND.max, rate)
    .nullish()
    .meta({ description: 'Maximum requests per second; null for no limit.' }),
  ...hookOptions,
  message_schedule: messageSchedule,
}

/** A change of a hook (docs/contract.md, Hooks). Fields that are not given do not change. */
export function hookChangeOf(targetUrlProblemOf: TargetUrlProblemOf) {
  return z
    .object(
      {
        target_type: targetType.meta({ description: 'Changes together with the URL or the settings.' }),
        target_url: targetUrl(targetUrlProblemOf).optional(),
        target_settings: targetSettings.meta({
          description: 'All settings of the target type; they replace the stored ones.',
        }),
        ...hookSettings,
        watches: z.array(watchBody, watchList).min(1, watchList).max(WATCHES_MAX, watchList).optional().meta({
          description:
            'All watches of the hook, except those of watch sets. Watches that the hook already has do not change.',
        }),
      },
      OBJECT,
    )
    .meta({
      id: 'HookChange',
      examples: [{ target_url: 'https://example.com/radar', name: 'Support', rate_per_second: 5 }],
    })
}
export type HookChangeBody = z.infer<ReturnType<typeof hookChangeOf>>

function note(field: string, charsMax: number) {
  return text(field, `text of at most ${charsMax} characters`, charsMax, 0).nullish()
}

const id = z.string().meta({ description: 'Hook id: the source, a hyphen and a random suffix.' })
const createdAt = z.iso.datetime().meta({ description: 'RFC 3339, UTC.' })

export const subscribeResponse = z
  .object({
    id,
    secret: z.string().meta({ description: 'HMAC signing secret; shown in this response only.' }),
    store: z.enum(STORES),
    app_id: z.string(),
    country: z.enum(STOREFRONTS).meta({ description: 'The requested storefront; `us` by default.' }),
    event_type: z.enum(EVENT_TYPES),
  })
  .meta({ id: 'CreatedHook' })
export type SubscribeResponse = z.infer<typeof subscribeResponse>

/** One rule of a hook. */
const watchFields = {
  store: z.enum(STORES),
  app_id: z.string(),
  event_type: z.enum(EVENT_TYPES),
  country: z
    .enum(STOREFRONTS)
    .nullable()
    .meta({ description: 'Null covers every storefront watched for the app, or several.' }),
  min_stars: z.int().min(1).max(5),
  max_stars: z.int().min(1).max(5),
  delta: z.number().nullable(),
  threshold: z.number().nullable(),
}

/**
 * A hook in the list, without its secret. The rule's fields are those of its first watch, null without one; `watches` contains all
 * watches. The list of hooks does not change (docs/contract.md, Hooks): new fields belong to `hookDetail`.
 */
export const hookView = z
  .object({
    id,
    source: z.string(),
    target_url: z.string(),
    external_ref: z.string().nullable(),
    status: z.enum(HOOK_STATUSES).meta({
      description: '`gone`: the target answered 410, because its platform turned the trigger off.',
    }),
    created_at: createdAt,
    store: watchFields.store.nullable(),
    app_id: watchFields.app_id.nullable(),
    event_type: watchFields.event_type.nullable(),
    country: watchFields.country,
    min_stars: watchFields.min_stars.nullable(),
    max_stars: watchFields.max_stars.nullable(),
    delta: watchFields.delta,
    threshold: watchFields.threshold,
    watches: z.array(z.object(watchFields).meta({ id: 'Watch', description: 'A rule of a hook.' })),
  })
  .meta({
    id: 'HookView',
    description:
      'A hook in the list. The rule fields are those of the first watch, or null without a watch. `watches` has all rules.',
  })
export type HookView = z.infer<typeof hookView>

/** Filters that only the details of a watch have. */
export const filterDetail = {
  countries: countriesView,
  delta_window_hours: z
    .int()
    .nullable()
    .meta({ description: 'The window of the delta in hours; null compares with the last rating.' }),
  spike_min_reviews: z.int().nullable().meta({ description: 'Null unless event_type is reviews.spiked.' }),
  spike_factor: z.number().nullable().meta({ description: 'Null unless event_type is reviews.spiked.' }),
  ...reviewFilterView,
}

export const watchDetail = z
  .object({
    id: z.string(),
    ...watchFields,
    ...filterDetail,
    watch_set_id: z.string().nullable().meta({ description: 'The watch set that created the watch.' }),
  })
  .meta({ id: 'WatchDetail' })
export type WatchDetail = z.infer<typeof watchDetail>

/** One hook with all its settings. */
export const hookDetail = z
  .object({
    ...hookView.shape,
    name: z.string().nullable(),
    description: z.string().nullable(),
    rate_per_second: z
      .number()
      .nullable()
      .meta({ description: 'Maximum requests per second; null for no limit.' }),
    target_type: z.enum(TARGET_TYPES),
    message_schedule: messageScheduleView,
    ...targetView,
    ...hookOptionsView,
    watches: z.array(watchDetail),
  })
  .meta({ id: 'HookDetail', description: 'One hook with all its settings.' })
export type HookDetail = z.infer<typeof hookDetail>
