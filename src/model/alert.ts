import { hashOf } from './canonical.ts'
import type { MailLinkPurpose } from './mail-link.ts'
import { type PausedReason, recipientIdOf, type Unsubscribed } from './mail-recipient.ts'
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
  /** Who left, by `recipientIdOf` the account and address; removed addresses too. */
  readonly unsubscribed: readonly Unsubscribed[]
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

/** Somebody whose address is in the settings. */
export type AlertRecipient = {
  /** `recipientIdOf` the account and address. */
  readonly id: string
  readonly address: string
  readonly state: 'subscribed' | 'unconfirmed' | 'unsubscribed'
}

type WithRecipients = Pick<AlertSettings, 'accountId' | 'emails' | 'unconfirmed' | 'unsubscribed'>

/** In the order of the settings. Addresses that differ only in case are one recipient. */
export function alertRecipients({
  accountId,
  emails,
  unconfirmed,
  unsubscribed,
}: WithRecipients): AlertRecipient[] {
  const left = new Set(unsubscribed.map(({ recipient }) => recipient))
  const asked = new Set(unconfirmed.map((address) => recipientIdOf(accountId, address)))
  const recipients = new Map<string, AlertRecipient>()
  for (const address of emails) {
    const id = recipientIdOf(accountId, address)
    const state = left.has(id) ? 'unsubscribed' : asked.has(id) ? 'unconfirmed' : 'subscribed'
    if (!recipients.has(id)) recipients.set(id, { id, address, state })
  }
  return [...recipients.values()]
}

/** Why no address of the settings gets alerts; null when one does, and without addresses. */
export function noAlertMailsBecause(settings: WithRecipients): PausedReason | null {
  const states = alertRecipients(settings).map(({ state }) => state)
  if (states.length === 0 || states.includes('subscribed')) return null
  return states.includes('unconfirmed') ? 'unconfirmed' : 'all_unsubscribed'
}

/** What a link in a mail to a recipient of alerts asks for. */
export type AlertLink = { readonly purpose: MailLinkPurpose; readonly recipient: string; readonly at: Date }

/**
 * The settings after a recipient followed a link; null when it changes nothing: a removed address, a second time, or an old link to confirm
 * of somebody who left since.
 */
export function withAlertLink<T extends WithRecipients>(
  settings: T,
  { purpose, recipient, at }: AlertLink,
): { readonly settings: T; readonly address: string } | null {
  const found = alertRecipients(settings).find(({ id }) => id === recipient)
  if (found === undefined || !FROM_STATES[purpose].includes(found.state)) return null
  const { accountId, unconfirmed, unsubscribed } = settings
  const others = unsubscribed.filter((each) => each.recipient !== recipient)
  return {
    address: found.address,
    settings: {
      ...settings,
      unconfirmed: unconfirmed.filter((address) => recipientIdOf(accountId, address) !== recipient),
      unsubscribed: purpose === 'unsubscribe' ? [...others, { recipient, at }] : others,
    },
  }
}

const FROM_STATES: Readonly<Record<MailLinkPurpose, readonly AlertRecipient['state'][]>> = {
  unsubscribe: ['subscribed', 'unconfirmed'],
  confirm: ['unconfirmed'],
  subscribe: ['unsubscribed'],
}
