import { hashOf } from './canonical.ts'
import type { FeedKind, Store } from './vocabulary.ts'

/** What an account can be alerted of. */
export const ALERT_KINDS = [
  'destination.failing',
  'destination.recovered',
  'feed.failing',
  'feed.changed_format',
] as const
/** `test`: sent on request, to try the channels. */
export type AlertKind = (typeof ALERT_KINDS)[number] | 'test'

export const ALERT_CHANNELS = ['email', 'webhook'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

/** Addresses of one account. Chosen: a team; more want a list of their mail server. */
export const ALERT_EMAILS_MAX = 10

/** Where an account gets its alerts. */
export type AlertSettings = {
  readonly accountId: string
  readonly enabled: boolean
  readonly emails: readonly string[]
  readonly webhookUrl: string | null
  /** Sealed for `alertSealOf`; null before the first URL. */
  readonly webhookSecret: string | null
}

/** A cause of an alert, as it is now. */
export type AlertCondition =
  | {
      readonly kind: 'destination.failing' | 'destination.recovered'
      readonly accountId: string
      readonly hookId: string
      readonly targetUrl: string
      readonly since: Date
      readonly detail: string
    }
  | {
      readonly kind: 'feed.failing' | 'feed.changed_format'
      readonly accountId: string
      readonly store: Store
      readonly appId: string
      readonly feed: FeedKind
      readonly market: string
      readonly since: Date
      readonly detail: string | null
    }

/** What an alert is about; the hour between two alerts counts for each. */
export type AlertCause = { readonly accountId: string; readonly kind: AlertKind; readonly subject: string }

export type Alert = AlertCause & {
  /** Identity: the same cause since the same time is one alert. */
  readonly id: string
  readonly since: Date
  readonly title: string
  readonly text: string
  /** What the webhook sends. */
  readonly body: string
}

export function alertIdOf({ accountId, kind, subject }: AlertCause, since: Date): string {
  return hashOf(['alert', accountId, kind, subject, String(since.getTime())])
}

/** What the webhook secret of an account is sealed for. */
export function alertSealOf(accountId: string): string {
  return `alerts ${accountId}`
}
