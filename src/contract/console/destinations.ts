import { z } from 'zod'
import type { WatchRules } from '../../model/hook.ts'
import {
  APP_ID_CHARS_MAX,
  DELTA,
  DELTA_WINDOW_HOURS,
  HOOK_DESCRIPTION_CHARS_MAX,
  HOOK_NAME_CHARS_MAX,
  OVERLAP_HOURS,
  RATE_PER_SECOND,
  SET_APPS_MAX,
  SPIKE_FACTOR,
  SPIKE_MIN_REVIEWS,
  STARS,
  THRESHOLD,
} from '../../model/hook-limits.ts'
import { HOOK_IDS_MAX } from '../../model/input-limits.ts'
import type { PausedReason } from '../../model/mail-recipient.ts'
import { REDIRECT_RULES, type RedirectRule } from '../../model/redirects.ts'
import { FORMATTED_TARGET_TYPES, TARGET_TYPES, type TargetType } from '../../model/target.ts'
import {
  EVENT_TYPES,
  type EventType,
  hasRatingRule,
  SENTIMENTS,
  SEVERITIES,
  STOREFRONTS,
  STORES,
  type Store,
  type Storefront,
  THEMES,
} from '../../model/vocabulary.ts'
import type { AttemptView } from './deliveries.ts'

const url = z
  .string({ error: 'targetUrl: is required' })
  .trim()
  .min(1, 'targetUrl: is required')
  .max(2048, 'targetUrl: at most 2048 characters')

/** Text that people write; trimmed, and null when nothing is left. */
function note(field: string, charsMax: number) {
  return z
    .string({ error: `${field}: text` })
    .max(charsMax, `${field}: at most ${charsMax} characters`)
    .nullish()
}
const names = {
  name: note('name', HOOK_NAME_CHARS_MAX),
  description: note('description', HOOK_DESCRIPTION_CHARS_MAX),
}

/** A number within the limits, with the same message for every error. */
function within(field: string, { min, max }: { readonly min: number; readonly max: number }) {
  const error = `${field}: a number from ${min} to ${max}`
  return z.number({ error }).min(min, error).max(max, error)
}

function stars(field: string, fallback: number) {
  return within(field, STARS).int(`${field}: a whole number`).default(fallback)
}

/** The values of a filter. The operation checks their number and form. */
function listOf<T extends z.ZodType>(value: T, field: string, allowed: string) {
  return z.array(value, { error: `${field}: must be a list of ${allowed}.` }).optional()
}

function texts(field: string) {
  return listOf(z.string({ error: `${field}: must be a list of texts.` }), field, 'texts')
}

function anyOf<const T extends readonly string[]>(field: string, values: T) {
  const allowed = values.join(', ')
  return listOf(z.enum(values, { error: `${field}: must be a list of ${allowed}.` }), field, allowed)
}

function flag(field: string) {
  return z.boolean({ error: `${field}: must be true or false.` }).optional()
}

/** Filters of reviews; an empty list is no filter. */
const WatchRulesBody = z.object(
  {
    keywords: texts('keywords'),
    excludedKeywords: texts('excludedKeywords'),
    appVersions: texts('appVersions'),
    languages: texts('languages'),
    sentiments: anyOf('sentiments', SENTIMENTS),
    themes: anyOf('themes', THEMES),
    severities: anyOf('severities', SEVERITIES),
    isBugReport: flag('isBugReport'),
    isFeatureRequest: flag('isFeatureRequest'),
    mentionsCompetitor: flag('mentionsCompetitor'),
    competitors: texts('competitors'),
  },
  { error: 'rules: must be an object.' },
)

const app = {
  store: z.enum(STORES, { error: 'store: apple or google' }),
  appId: z
    .string({ error: 'appId: is required' })
    .trim()
    .min(1, 'appId: is required')
    .max(APP_ID_CHARS_MAX, `appId: at most ${APP_ID_CHARS_MAX} characters`),
}

const filter = {
  eventType: z.enum(EVENT_TYPES, { error: `eventType: one of ${EVENT_TYPES.join(', ')}` }),
  storefronts: z.array(z.enum(STOREFRONTS, { error: 'storefronts: an unknown storefront' })).nullish(),
  minStars: stars('minStars', STARS.min),
  maxStars: stars('maxStars', STARS.max),
  delta: within('delta', DELTA).nullish(),
  deltaWindowHours: within('deltaWindowHours', DELTA_WINDOW_HOURS)
    .int('deltaWindowHours: a whole number')
    .nullish(),
  threshold: within('threshold', THRESHOLD).nullish(),
  spikeMinReviews: within('spikeMinReviews', SPIKE_MIN_REVIEWS)
    .int('spikeMinReviews: a whole number')
    .nullish(),
  spikeFactor: within('spikeFactor', SPIKE_FACTOR).nullish(),
  rules: WatchRulesBody.nullish(),
}

type Filter = z.infer<z.ZodObject<typeof filter>>
const starsInOrder = [
  (watch: Filter) => watch.minStars <= watch.maxStars,
  'minStars: must not be above maxStars',
] as const
const ratingRuleGiven = [
  (watch: Filter) => !hasRatingRule(watch.eventType) || watch.delta != null || watch.threshold != null,
  'delta: a rating rule requires a delta or a threshold',
] as const

/** A watch in the format of the console's form. */
export const WatchBody = z
  .object({ ...app, ...filter })
  .refine(...starsInOrder)
  .refine(...ratingRuleGiven)
export type WatchBody = z.infer<typeof WatchBody>

const chosenApps = z
  .array(z.object(app), { error: 'apps: "all" or a list of apps' })
  .min(1, 'apps: choose at least one app')
  .max(SET_APPS_MAX, `apps: at most ${SET_APPS_MAX} apps, or all`)

/** A watch set in the format of the console's form. `all`: also apps that are added later. */
export const WatchSetBody = z
  .object({ apps: z.literal('all').or(chosenApps), ...filter })
  .refine(...starsInOrder)
  .refine(...ratingRuleGiven)
export type WatchSetBody = z.infer<typeof WatchSetBody>

const typeOf = <const T extends readonly string[]>(types: T) =>
  z.enum(types, { error: `targetType: must be ${types.join(', ')}.` })
const targetType = typeOf(TARGET_TYPES)
/** The type checks them when they are saved. */
const targetSettings = z.record(z.string(), z.unknown(), { error: 'targetSettings: an object' })

/** Whether a redirect is success. */
const redirect = z.enum(REDIRECT_RULES, { error: 'redirect: must be "fail" or "accept".' }).optional()

/** `POST /api/console/destinations`: the target and optionally its name and the first watch or watch set. */
export const DestinationBody = z.object({
  /** By default a webhook. */
  targetType: targetType.optional(),
  /** Of a webhook. */
  targetUrl: url.optional(),
  /** Of every other type. */
  targetSettings: targetSettings.optional(),
  ...names,
  redirect,
  watch: WatchBody.optional(),
  watchSet: WatchSetBody.optional(),
})
const part = (field: string, allowed: string) => ({
  error: `messageSchedule.${field}: must be ${allowed}.`,
})
const time = (field: string) => z.string(part(field, 'a time such as 09:00'))
const wholeNumber = (field: string) => z.number(part(field, 'a whole number'))
/** The operation checks the values. */
const MessageScheduleBody = z.object(
  {
    timeZone: z.string(part('timeZone', 'the name of a time zone, such as Europe/Berlin')).nullish(),
    everyMinutes: wholeNumber('everyMinutes').nullish(),
    dailyAt: time('dailyAt').nullish(),
    weekday: wholeNumber('weekday').nullish(),
    quietFrom: time('quietFrom').nullish(),
    quietUntil: time('quietUntil').nullish(),
  },
  { error: 'messageSchedule: must be an object or null.' },
)
export type MessageScheduleBody = z.infer<typeof MessageScheduleBody>

/** `PATCH /api/console/destinations/:id` */
export const DestinationChange = z.object({
  targetUrl: url.optional(),
  /** Replaces the settings; secrets that are not given stay as they are. */
  targetSettings: targetSettings.optional(),
  ...names,
  ratePerSecond: within('ratePerSecond', RATE_PER_SECOND).nullish(),
  cloudEvents: z.boolean({ error: 'cloudEvents: true or false' }).optional(),
  redirect,
  /** When messages are sent; null for each event at once. */
  messageSchedule: MessageScheduleBody.nullish(),
})
/** `POST /api/console/destinations/preview`: the message of a sample event. Mail and requests of one's own need their settings. */
export const MessagePreviewBody = z.object({
  targetType: typeOf(FORMATTED_TARGET_TYPES),
  targetSettings: targetSettings.optional(),
  eventType: z.enum(EVENT_TYPES, { error: `eventType: one of ${EVENT_TYPES.join(', ')}` }),
})
export type MessagePreview = {
  readonly heading: string
  readonly quote: string | null
  readonly summary: string | null
  readonly facts: readonly string[]
  readonly origin: readonly string[]
  readonly links: readonly string[]
  /** The text of a mail, or the request of a template; null for a chat service, and before the settings are valid. */
  readonly text: string | null
}

/** `POST /api/console/destinations/bulk`: pauses, resumes or retries several. */
export const DestinationsBulkBody = z.object({
  ids: z
    .array(z.string().max(500, 'ids: an unknown id'), { error: 'ids: a list of ids' })
    .min(1, 'ids: at least one')
    .max(HOOK_IDS_MAX, `ids: at most ${HOOK_IDS_MAX}`),
  action: z.enum(['pause', 'resume', 'retry'], { error: 'action: pause, resume or retry' }),
})
export type DestinationsBulkBody = z.infer<typeof DestinationsBulkBody>
/** `POST /api/console/destinations/:id/rotate`: both secrets sign for `overlapHours`; 0 revokes the old one at once. */
export const RotateBody = z.object({
  overlapHours: within('overlapHours', OVERLAP_HOURS).default(OVERLAP_HOURS.default),
})
export type SecretShown = { readonly secret: string }

export type WatchView = WatchFilterView & {
  readonly id: string
  readonly store: Store
  readonly appId: string
  readonly appName: string | null
}

/** A watch set. */
export type WatchSetView = WatchFilterView & {
  readonly id: string
  readonly apps: 'all' | readonly { readonly store: Store; readonly appId: string }[]
}

type WatchFilterView = {
  readonly eventType: EventType
  /** Null for all tracked ones. */
  readonly storefronts: readonly Storefront[] | null
  readonly minStars: number
  readonly maxStars: number
  readonly delta: number | null
  readonly deltaWindowHours: number | null
  readonly threshold: number | null
  readonly spikeMinReviews: number | null
  readonly spikeFactor: number | null
  readonly rules: WatchRules | null
  readonly createdAt: string
  /** A description of the events that match, as a sentence. */
  readonly sentence: string
}

export type DestinationLine = {
  readonly id: string
  readonly source: string
  /** True if created in the console. A program decides the target, secret and subscriptions of the others. */
  readonly editable: boolean
  readonly name: string | null
  readonly description: string | null
  readonly targetType: TargetType
  /** With messages instead of events: without secrets. */
  readonly targetUrl: string
  readonly externalRef: string | null
  readonly status: 'active' | 'paused' | 'gone'
  /** `all_unsubscribed`: nobody is left who gets the mails. Null when a person or a program paused it. */
  readonly pausedReason: PausedReason | null
  readonly createdAt: string
  /** Without those of its watch sets. */
  readonly watches: readonly WatchView[]
  readonly watchSets: readonly WatchSetView[]
  readonly health: DestinationHealth
}

export type DestinationHealth = {
  /** Over the last 24 hours. */
  readonly delivered24h: number
  readonly failedAttempts24h: number
  /** The share of delivered ones among deliveries that ended in that time, 0 to 1; null when none ended. */
  readonly successRate24h: number | null
  readonly pending: number
  readonly dead: number
  /** Latency of accepted attempts; null when there are none. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly lastDeliveredAt: string | null
  readonly breakerOpenUntil: string | null
  /** The first of the last attempts in a row that failed; null after a success. */
  readonly failingSince: string | null
  /** Deliveries of each of the last 24 hours, oldest first. */
  readonly perHour: readonly { readonly delivered: number; readonly failed: number }[]
}

/** `GET /api/console/destinations/:id` */
export type DestinationPage = DestinationLine & {
  readonly ratePerSecond: number | null
  readonly cloudEvents: boolean
  readonly redirect: RedirectRule
  /** The receiver is known to answer with a redirect after its work, or did so, and the destination does not accept it. */
  readonly offersRedirect: boolean
  /** The settings of a target with messages, without secrets; null for a webhook. */
  readonly targetSettings: Readonly<Record<string, unknown>> | null
  readonly messageSchedule: MessageScheduleBody | null
  /** Of a mail destination, in the order of its settings. */
  readonly recipients: readonly RecipientView[]
  readonly oldSecretsExpireAt: readonly string[]
  readonly notices: readonly NoticeView[]
  readonly tests: readonly AttemptView[]
}
export type RecipientView = {
  readonly id: string
  readonly address: string
  /** Null while subscribed. */
  readonly unsubscribedAt: string | null
}
/** The display name of a destination is its name or, without one, its URL. */
export type DestinationName = { readonly name: string | null; readonly targetUrl: string }
export type NoticeView = {
  readonly kind: string
  readonly at: string
  readonly detail: string
  readonly hookId: string
  /** Null once it is deleted. */
  readonly destination: DestinationName | null
}

/** `POST /api/console/watches/preview`, and the same for watch sets: how many of the last reviews or rating changes match. */
export type WatchPreview = {
  readonly sentence: string
  readonly matched: number
  readonly looked: number
  /** Drops, recoveries and spikes of very many apps are counted for some of them. */
  readonly apps: { readonly counted: number; readonly total: number }
}
/** `POST /api/console/destinations/:id/test` */
export type TestSent = { readonly attempt: AttemptView; readonly body: string }
