import { z } from 'zod'
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
const starsBound = z
  .number({ error: 'stars: whole numbers 1 to 5' })
  .int('stars: whole numbers 1 to 5')
  .min(1, 'stars: 1 to 5')
  .max(5, 'stars: 1 to 5')

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

/** A watch as the console's form makes it; the server checks it with the rules of the subscribe call. */
export const WatchBody = z
  .object({
    store: z.enum(STORES, { error: 'store: apple or google' }),
    appId: z.string({ error: 'appId: is required' }).min(1, 'appId: is required').max(200),
    eventType: z.enum(EVENT_TYPES, { error: `eventType: ${EVENT_TYPES.join(' or ')}` }),
    storefront: z.enum(STOREFRONTS).nullish(),
    minStars: starsBound.default(1),
    maxStars: starsBound.default(5),
    delta: z
      .number({ error: 'delta: a number 0 to 4' })
      .min(0, 'delta: 0 to 4')
      .max(4, 'delta: 0 to 4')
      .nullish(),
    threshold: z
      .number({ error: 'threshold: a number 1 to 5' })
      .min(1, 'threshold: 1 to 5')
      .max(5, 'threshold: 1 to 5')
      .nullish(),
    rules: WatchRulesBody.nullish(),
  })
  .refine((watch) => watch.minStars <= watch.maxStars, 'minStars: must not be above maxStars')
  .refine(
    (watch) => watch.eventType !== 'rating.dropped' || watch.delta != null || watch.threshold != null,
    'delta: rating.dropped needs a delta or a threshold',
  )
export type WatchBody = z.infer<typeof WatchBody>

/** `POST /api/console/destinations`: `targetUrl` and, if wanted, the first watch. */
export const DestinationBody = z.object({ targetUrl: url, watch: WatchBody.optional() })
/** `PATCH /api/console/destinations/:id` */
export const DestinationChange = z.object({
  targetUrl: url.optional(),
  ratePerSecond: z
    .number()
    .min(0.1, 'ratePerSecond: 0.1 to 1000')
    .max(1000, 'ratePerSecond: 0.1 to 1000')
    .nullish(),
})
/** `POST /api/console/destinations/:id/rotate`: both secrets sign for so long; 0 revokes the old one at once. */
export const RotateBody = z.object({
  overlapHours: z
    .number({ error: 'overlapHours: 0 to 168' })
    .min(0, 'overlapHours: 0 to 168')
    .max(168, 'overlapHours: 0 to 168')
    .default(24),
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
  /** What it will send, in words. */
  readonly sentence: string
}

export type DestinationLine = {
  readonly id: string
  readonly source: string
  /** Made here, so edited here; others are read-only with a disconnect control. */
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
