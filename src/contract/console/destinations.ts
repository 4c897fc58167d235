import { z } from 'zod'
import type { HookOptions } from '../../model/hook-options.ts'
import type { PausedReason } from '../../model/mail-recipient.ts'
import { FORMATTED_TARGET_TYPES, type TargetType } from '../../model/target.ts'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import type { DeliveryAttempt } from '../attempt.ts'
import { EVENT_TYPE_CHOICE, oneOf, says } from '../field.ts'
import { hookSettings, type WatchDetail, watchBody } from '../hook.ts'
import type { MessageScheduleView } from '../message-schedule.ts'
import { targetSettings, targetType } from '../target.ts'
import type { NewSecret } from '../v1/hook-actions.ts'
import { type WatchSet, watchSetBody } from '../v1/watch-sets.ts'

/** `POST /api/console/destinations`: the target and optionally its name and the first watch or watch set. The operation checks the URL. */
export const DestinationBody = z.object({
  target_type: targetType,
  target_url: z.string(says('target_url', 'an http or https URL')).nullish(),
  target_settings: targetSettings,
  name: hookSettings.name,
  description: hookSettings.description,
  redirect: hookSettings.redirect,
  watch: watchBody.optional(),
  watch_set: watchSetBody.optional(),
})
export type DestinationBody = z.infer<typeof DestinationBody>

const formatted = says('target_type', oneOf(FORMATTED_TARGET_TYPES))
/** `POST /api/console/destinations/preview`: the message of a sample event. Mail and requests of one's own need their settings. */
export const MessagePreviewBody = z.object({
  target_type: z.enum(FORMATTED_TARGET_TYPES, formatted),
  target_settings: targetSettings,
  event_type: z.enum(EVENT_TYPES, says('event_type', EVENT_TYPE_CHOICE)),
})
export type MessagePreviewBody = z.infer<typeof MessagePreviewBody>
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

/** The only response with the secret. */
export type CreatedDestination = NewSecret & { readonly id: string }

/** A watch as the REST API shows it, with a description of the events that match, as a sentence. */
export type WatchView = Omit<WatchDetail, 'watch_set_id'> & {
  readonly app_name: string | null
  readonly sentence: string
  readonly created_at: string
}

export type WatchSetView = WatchSet & { readonly sentence: string }

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
  /**
   * `all_unsubscribed`: nobody is left who gets the mails; `unconfirmed`: nobody has confirmed yet. Null when a person or a program paused
   * it.
   */
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
  /** The share of delivered ones among deliveries that ended in that time or are late, 0 to 1; null without any. */
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
export type DestinationPage = DestinationLine &
  HookOptions & {
    readonly ratePerSecond: number | null
    /** The receiver is known to answer with a redirect after its work, or did so, and the destination does not accept it. */
    readonly offersRedirect: boolean
    /** When a new subscription probably gets its first reviews; null when none waits for them. */
    readonly firstReviewsAt: string | null
    /** The settings of a target with messages, without secrets; null for a webhook. */
    readonly targetSettings: Readonly<Record<string, unknown>> | null
    readonly messageSchedule: MessageScheduleView
    /** Of a mail destination, in the order of its settings. */
    readonly recipients: readonly RecipientView[]
    readonly oldSecretsExpireAt: readonly string[]
    readonly notices: readonly NoticeView[]
    readonly tests: readonly DeliveryAttempt[]
  }
export type RecipientView = {
  readonly id: string
  readonly address: string
  /** Null while subscribed, and before they confirmed. */
  readonly unsubscribedAt: string | null
  readonly unconfirmedSince: string | null
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
  /** Some of the matched reviews, newest first. */
  readonly hits: readonly {
    readonly fingerprint: string
    readonly rating: number
    readonly title: string | null
    readonly body: string
  }[]
}
