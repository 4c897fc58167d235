import { hashOf } from './canonical.ts'
import type { FeedKind, Store } from './vocabulary.ts'

/** The kinds of alerts that an account can subscribe to. */
export const ALERT_KINDS = [
  'destination.failing',
  'destination.recovered',
  'feed.failing',
  'feed.changed_format',
  'connection.failing',
  'connection.losing_reviews',
] as const
/** `test` is sent on request, to check the channels. */
export type AlertKind = (typeof ALERT_KINDS)[number] | 'test'

export const ALERT_CHANNELS = ['email', 'webhook'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

/** Maximum number of e-mail addresses per account: enough for a team. */
export const ALERT_EMAILS_MAX = 10

/** The channels on which an account gets its alerts. */
export type AlertSettings = {
  readonly accountId: string
  readonly enabled: boolean
  readonly emails: readonly string[]
  /** Those of `emails` that have not confirmed yet, and get no alerts. */
  readonly unconfirmed: readonly string[]
  readonly webhookUrl: string | null
  /** The secret, sealed with `alertSealOf`; null before the first URL. */
  readonly webhookSecret: string | null
}

/** The current state of a cause of alerts. */
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
  | ConnectionCondition

/** An app of a store connection without a good check for `CONNECTION_FAILING_MS`. */
export type ConnectionCondition = {
  readonly kind: 'connection.failing'
  readonly accountId: string
  readonly connectionId: string
  readonly connectionName: string
  readonly store: Store
  readonly appId: string
  /** Whether the account's reviews of the app come only from the connection. */
  readonly isOnlySource: boolean
  /** The last successful check, or the start of the use of the connection. */
  readonly since: Date
  /** Why the last check failed; null when the checks themselves are overdue. */
  readonly detail: string | null
}

/** Checks are five minutes apart, so outages and limits of a store are over by then; a revoked key is not. */
export const CONNECTION_FAILING_MS = 6 * 3_600_000

/** The cause of an alert. The minimum of one hour between two alerts applies to each cause. */
export type AlertCause = { readonly accountId: string; readonly kind: AlertKind; readonly subject: string }

export type Alert = AlertCause & {
  /** The identity of an alert: its cause and the time since when the cause exists. */
  readonly id: string
  readonly since: Date
  readonly title: string
  readonly text: string
  /** The body of the webhook request. */
  readonly body: string
}

export function alertIdOf({ accountId, kind, subject }: AlertCause, since: Date): string {
  return hashOf(['alert', accountId, kind, subject, String(since.getTime())])
}

/** The context for which the webhook secret of an account is sealed. */
export function alertSealOf(accountId: string): string {
  return `alerts ${accountId}`
}

/** The channels of an alert, from the current settings of its account. */
export function channelsOf(settings: AlertSettings, kind: AlertKind): AlertChannel[] {
  if (!settings.enabled && kind !== 'test') return []
  return [
    ...(settings.emails.length > 0 ? (['email'] as const) : []),
    ...(settings.webhookUrl === null ? [] : (['webhook'] as const)),
  ]
}
