import { z } from 'zod'
import {
  APP_ID_CHARS_MAX,
  DELTA,
  OVERLAP_HOURS,
  RATE_PER_SECOND,
  STARS,
  THRESHOLD,
} from '../../model/hook-limits.ts'
import {
  EVENT_TYPES,
  type EventType,
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

/** A number within the limits, with one sentence for every error. */
function within(field: string, { min, max }: { readonly min: number; readonly max: number }) {
  const error = `${field}: a number from ${min} to ${max}`
  return z.number({ error }).min(min, error).max(max, error)
}

function stars(field: string, fallback: number) {
  return within(field, STARS).int(`${field}: a whole number`).default(fallback)
}

export const WatchRulesBody = z.object({
  languages: z
    .array(z.string().regex(/^[a-z]{2}$/, 'languages: two letters each'))
    .max(20)
    .optional(),
  sentiments: z.array(z.enum(SENTIMENTS)).optional(),
  themes: z.array(z.enum(THEMES)).optional(),
  severities: z.array(z.enum(SEVERITIES)).optional(),
  isBugReport: z.boolean().optional(),
  isFeatureRequest: z.boolean().optional(),
})

/** A watch as the console's form sends it. */
export const WatchBody = z
  .object({
    store: z.enum(STORES, { error: 'store: apple or google' }),
    appId: z
      .string({ error: 'appId: is required' })
      .trim()
      .min(1, 'appId: is required')
      .max(APP_ID_CHARS_MAX, `appId: at most ${APP_ID_CHARS_MAX} characters`),
    eventType: z.enum(EVENT_TYPES, { error: `eventType: ${EVENT_TYPES.join(' or ')}` }),
    storefront: z.enum(STOREFRONTS).nullish(),
    minStars: stars('minStars', STARS.min),
    maxStars: stars('maxStars', STARS.max),
    delta: within('delta', DELTA).nullish(),
    threshold: within('threshold', THRESHOLD).nullish(),
    rules: WatchRulesBody.nullish(),
  })
  .refine((watch) => watch.minStars <= watch.maxStars, 'minStars: must not be above maxStars')
  .refine(
    (watch) => watch.eventType !== 'rating.dropped' || watch.delta != null || watch.threshold != null,
    'delta: rating.dropped needs a delta or a threshold',
  )
export type WatchBody = z.infer<typeof WatchBody>

/** `POST /api/console/destinations`: `targetUrl` and optionally the first watch. */
export const DestinationBody = z.object({ targetUrl: url, watch: WatchBody.optional() })
/** `PATCH /api/console/destinations/:id` */
export const DestinationChange = z.object({
  targetUrl: url.optional(),
  ratePerSecond: within('ratePerSecond', RATE_PER_SECOND).nullish(),
})
/** `POST /api/console/destinations/:id/rotate`: both secrets sign for this long; 0 revokes the old one at once. */
export const RotateBody = z.object({
  overlapHours: within('overlapHours', OVERLAP_HOURS).default(OVERLAP_HOURS.default),
})
export type SecretShown = { readonly secret: string }

export type WatchView = {
  readonly id: string
  readonly store: Store
  readonly appId: string
  readonly appName: string | null
  readonly eventType: EventType
  readonly storefront: Storefront | null
  readonly minStars: number
  readonly maxStars: number
  readonly delta: number | null
  readonly threshold: number | null
  readonly rules: z.infer<typeof WatchRulesBody> | null
  readonly createdAt: string
  /** The events it sends, as a sentence. */
  readonly sentence: string
}

export type DestinationLine = {
  readonly id: string
  readonly source: string
  /** Created in the console, so it can be edited there; others are read-only with a disconnect control. */
  readonly editable: boolean
  readonly targetUrl: string
  readonly externalRef: string | null
  readonly status: 'active' | 'paused' | 'gone'
  readonly createdAt: string
  readonly watches: readonly WatchView[]
  readonly health: DestinationHealth
}

export type DestinationHealth = {
  /** Over the last 24 hours. */
  readonly delivered24h: number
  readonly failedAttempts24h: number
  /** Delivered of those that ended in that time, 0 to 1; null when none ended. */
  readonly successRate24h: number | null
  readonly pending: number
  readonly dead: number
  /** Of accepted attempts; null without any. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly lastDeliveredAt: string | null
  readonly breakerOpenUntil: string | null
  /** The last attempts failed, several in a row. */
  readonly failingSince: string | null
  /** Deliveries per hour, oldest first, 24 of them. */
  readonly perHour: readonly { readonly delivered: number; readonly failed: number }[]
}

/** `GET /api/console/destinations/:id` */
export type DestinationPage = DestinationLine & {
  readonly ratePerSecond: number | null
  readonly oldSecretsExpireAt: readonly string[]
  readonly notices: readonly NoticeView[]
  readonly tests: readonly AttemptView[]
}
export type NoticeView = {
  readonly kind: string
  readonly at: string
  readonly detail: string
  readonly hookId: string
}

/** `POST /api/console/watches/preview`: which of the last reviews it would have sent. */
export type WatchPreview = { readonly sentence: string; readonly matched: number; readonly looked: number }
/** `POST /api/console/destinations/:id/test` */
export type TestSent = { readonly attempt: AttemptView; readonly body: string }
