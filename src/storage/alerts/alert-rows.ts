import {
  type Alert,
  type AlertChannel,
  type AlertCondition,
  type AlertKind,
  type AlertSettings,
  CONNECTION_FAILING_MS,
} from '../../model/alert.ts'
import type { SourceState } from '../../model/review-source.ts'
import type { FeedKind, Store } from '../../model/vocabulary.ts'
import type { AlertStep, AlertView, ClaimedAlert, LastAlert } from '../port/alerts.ts'
import { withoutGoodPollSince } from '../sources/source-rows.ts'
import { dateOf, flagOf, msOf, parsed } from '../values.ts'

/** Rows of alerts, the same on both engines. */

export type SettingsRow = {
  account_id: string
  enabled: number
  emails: string
  webhook_url: string | null
  webhook_secret: string | null
}

/** Of `alert_settings s`. */
export const SETTINGS_COLUMNS = 's.account_id, s.enabled, s.emails, s.webhook_url, s.webhook_secret'

export function settingsOf(row: SettingsRow): AlertSettings {
  return {
    accountId: row.account_id,
    enabled: row.enabled === 1,
    emails: parsed<string[]>(row.emails),
    webhookUrl: row.webhook_url,
    webhookSecret: row.webhook_secret,
  }
}

export function settingsValues(settings: AlertSettings): (string | number | null)[] {
  const { accountId, enabled, emails, webhookUrl, webhookSecret } = settings
  return [accountId, flagOf(enabled), JSON.stringify(emails), webhookUrl, webhookSecret]
}

/** The channels of an alert, from the current settings of its account. */
export function channelsOf(settings: AlertSettings, kind: AlertKind): AlertChannel[] {
  if (!settings.enabled && kind !== 'test') return []
  return [
    ...(settings.emails.length > 0 ? (['email'] as const) : []),
    ...(settings.webhookUrl === null ? [] : (['webhook'] as const)),
  ]
}

/** The last `failing` or `recovered` notice of every active hook of accounts with alerts. */
export const DESTINATION_CONDITIONS = `select h.account_id, h.id as hook_id, h.target_url, n.kind, n.at, n.detail
  from alert_settings s join hooks h on h.account_id = s.account_id
  join notices n on n.seq = (
    select seq from notices where hook_id = h.id and kind in ('failing', 'recovered') order by seq desc limit 1)
  where s.enabled = 1 and h.deleted_at is null and h.status = 'active'`

export type DestinationRow = {
  account_id: string
  hook_id: string
  target_url: string
  kind: 'failing' | 'recovered'
  at: number
  detail: string
}

/**
 * Consecutive polls without a usable answer before a feed counts as failing. Stores often reject single requests. An
 * unknown format persists and counts at once.
 */
const FAILURES_MIN = 3

export const FEED_CONDITIONS = `select fa.account_id, f.store, f.app_id, f.kind, f.market, f.last_outcome, f.last_detail,
    f.failing_since
  from feeds f join feed_accounts fa on fa.feed_id = f.id join alert_settings s on s.account_id = fa.account_id
  where f.failing_since is not null and f.next_poll_at is not null and s.enabled = 1
    and (f.last_outcome = 'changed' or f.failures >= ${FAILURES_MIN})`

export type FeedRow = {
  account_id: string
  store: Store
  app_id: string
  kind: FeedKind
  market: string
  last_outcome: string
  last_detail: string | null
  failing_since: number
}

/**
 * Apps of connections without a good check since `before`: their checks fail, or are as long overdue, as when no node polls.
 */
export const CONNECTION_CONDITIONS = (
  before: string,
) => `select s.account_id, s.connection_id, c.name as connection_name, s.store, s.app_id, s.state, s.changed_at, s.last_ok_at,
    case when s.failing_since is null then null else s.problem end as problem
  from alert_settings a join review_sources s on s.account_id = a.account_id
  join store_connections c on c.id = s.connection_id
  where a.enabled = 1 and ${withoutGoodPollSince(before)} and (s.failing_since is not null or s.next_poll_at < ${before})`

export type ConnectionRow = {
  account_id: string
  connection_id: string
  connection_name: string
  store: Store
  app_id: string
  state: SourceState
  changed_at: number
  last_ok_at: number | null
  problem: string | null
}

export function checkedBefore(now: Date): number {
  return msOf(now) - CONNECTION_FAILING_MS
}

export function conditionsOf(
  destinations: readonly DestinationRow[],
  feeds: readonly FeedRow[],
  connections: readonly ConnectionRow[],
): AlertCondition[] {
  return [
    ...destinations.map((row) => ({
      kind: `destination.${row.kind}` as const,
      accountId: row.account_id,
      hookId: row.hook_id,
      targetUrl: row.target_url,
      since: dateOf(row.at),
      detail: row.detail,
    })),
    ...feeds.map((row) => ({
      kind: row.last_outcome === 'changed' ? ('feed.changed_format' as const) : ('feed.failing' as const),
      accountId: row.account_id,
      store: row.store,
      appId: row.app_id,
      feed: row.kind,
      market: row.market,
      since: dateOf(row.failing_since),
      detail: row.last_detail,
    })),
    ...connections.map((row) => ({
      kind: 'connection.failing' as const,
      accountId: row.account_id,
      connectionId: row.connection_id,
      connectionName: row.connection_name,
      store: row.store,
      appId: row.app_id,
      isOnlySource: row.state === 'official',
      since: dateOf(Math.max(row.changed_at, row.last_ok_at ?? 0)),
      detail: row.problem,
    })),
  ]
}

/**
 * The hour without another alert starts at the newest alert. A cause has ended when it no longer has the latest
 * `since`.
 */
export const LAST_ALERTS = `select account_id, kind, subject, max(since) as since, max(created_at) as created_at
  from alerts where kind <> 'test' group by account_id, kind, subject`

export type LastRow = {
  account_id: string
  kind: AlertKind
  subject: string
  since: number
  created_at: number
}

export function lastOf(row: LastRow): LastAlert {
  return {
    accountId: row.account_id,
    kind: row.kind,
    subject: row.subject,
    since: dateOf(row.since),
    createdAt: dateOf(row.created_at),
  }
}

/** Of `alerts a join alert_settings s`. */
export const CLAIMED_ALERT_COLUMNS = `a.seq, a.alert_id, a.channel, a.kind, a.subject, a.since, a.title, a.text, a.body, a.attempts,
  ${SETTINGS_COLUMNS}`

export type ClaimedAlertRow = SettingsRow & {
  seq: number
  alert_id: string
  channel: AlertChannel
  kind: AlertKind
  subject: string
  since: number
  title: string
  text: string
  body: string
  attempts: number
}

export function claimedAlertOf(row: ClaimedAlertRow, lease: string): ClaimedAlert {
  const { seq, channel, attempts, kind, subject, title, text, body } = row
  const settings = settingsOf(row)
  const alert: Alert = {
    id: row.alert_id,
    accountId: settings.accountId,
    since: dateOf(row.since),
    kind,
    subject,
    title,
    text,
    body,
  }
  return { seq, lease, channel, attempts, alert, settings }
}

export type AlertViewRow = {
  seq: number
  channel: AlertChannel
  kind: AlertKind
  title: string
  created_at: number
  status: AlertStep['status']
  attempts: number
  problem: string | null
}

export const ALERT_VIEW_COLUMNS = 'seq, channel, kind, title, created_at, status, attempts, problem'

export function alertViewOf({ created_at, ...row }: AlertViewRow): AlertView {
  return { ...row, createdAt: dateOf(created_at) }
}
