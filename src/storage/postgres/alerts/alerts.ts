import type { Alert } from '../../../model/alert.ts'
import {
  ALERT_VIEW_COLUMNS,
  type AlertViewRow,
  alertViewOf,
  CLAIMED_ALERT_COLUMNS,
  type ClaimedAlertRow,
  CONNECTION_CONDITIONS,
  type ConnectionRow,
  channelsOf,
  checkedBefore,
  claimedAlertOf,
  conditionsOf,
  DESTINATION_CONDITIONS,
  type DestinationRow,
  FEED_CONDITIONS,
  type FeedRow,
  LAST_ALERTS,
  type LastRow,
  lastOf,
  SETTINGS_COLUMNS,
  type SettingsRow,
  settingsOf,
  settingsValues,
} from '../../alerts/alert-rows.ts'
import type { AlertStorage } from '../../port/alerts.ts'
import { msOf } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'

export function alertStorage(db: Database): AlertStorage {
  return {
    settings: async (accountId) => {
      const row = await db.get<SettingsRow>(
        `select ${SETTINGS_COLUMNS} from alert_settings s where s.account_id = $1`,
        accountId,
      )
      return row === undefined ? null : settingsOf(row)
    },

    saveSettings: async (given) => {
      await db.run(
        `insert into alert_settings (account_id, enabled, emails, webhook_url, webhook_secret)
         values ($1, $2, $3, $4, $5)
         on conflict (account_id) do update set enabled = $2, emails = $3, webhook_url = $4, webhook_secret = $5`,
        ...settingsValues(given),
      )
    },

    observe: async (now) =>
      db.transaction(async (tx) => ({
        conditions: conditionsOf(
          await tx.all<DestinationRow>(DESTINATION_CONDITIONS),
          await tx.all<FeedRow>(FEED_CONDITIONS),
          await tx.all<ConnectionRow>(CONNECTION_CONDITIONS('$1'), checkedBefore(now)),
        ),
        last: (await tx.all<LastRow>(LAST_ALERTS)).map(lastOf),
      })),

    create: async (alerts, now, notAfter) =>
      db.transaction(async (tx) => {
        const rows = await lockSettings(tx, alerts)
        let created = 0
        for (const alert of alerts) {
          const row = rows.get(alert.accountId)
          if (row !== undefined && (await insert(tx, row, alert, now, notAfter))) created += 1
        }
        return created
      }),

    claim: async (now, lease, leaseMs, limit) => {
      const rows = await db.all<ClaimedAlertRow>(
        `with due as (
           select seq from alerts
           where status = 'pending' and due_at <= $1 and (leased_until is null or leased_until <= $1)
           order by due_at, seq limit $2 for update skip locked),
         claimed as (
           update alerts set lease = $3, leased_until = $4 where seq in (select seq from due) returning *)
         select ${CLAIMED_ALERT_COLUMNS} from claimed a join alert_settings s on s.account_id = a.account_id
         order by a.due_at, a.seq`,
        msOf(now),
        limit,
        lease,
        msOf(now) + leaseMs,
      )
      return rows.map((row) => claimedAlertOf(row, lease))
    },

    settle: async ({ seq, lease }, step) => {
      await db.run(
        `update alerts set status = $1, problem = $2, due_at = coalesce($3, due_at), attempts = attempts + 1, lease = null,
           leased_until = null
         where seq = $4 and lease = $5`,
        step.status,
        step.status === 'sent' ? null : step.problem,
        step.status === 'pending' ? msOf(step.dueAt) : null,
        seq,
        lease,
      )
    },

    list: async (accountId, limit) => {
      const rows = await db.all<AlertViewRow>(
        `select ${ALERT_VIEW_COLUMNS} from alerts where account_id = $1 order by seq desc limit $2`,
        accountId,
        limit,
      )
      return rows.map(alertViewOf)
    },
  }
}

/** Differs from sqlite: locks the settings, so that only one of two nodes queues an alert. */
async function lockSettings(tx: Transaction, alerts: readonly Alert[]): Promise<Map<string, SettingsRow>> {
  const rows = await tx.all<SettingsRow>(
    `select ${SETTINGS_COLUMNS} from alert_settings s where s.account_id = any($1::text[])
     order by s.account_id for update`,
    [...new Set(alerts.map(({ accountId }) => accountId))],
  )
  return new Map(rows.map((row) => [row.account_id, row]))
}

/** Returns whether the alert was queued. */
async function insert(
  tx: Transaction,
  row: SettingsRow,
  alert: Alert,
  now: Date,
  notAfter: Date | null,
): Promise<boolean> {
  const { id, accountId, kind, subject, since, title, text, body } = alert
  if (notAfter !== null) {
    const recent = await tx.get(RECENT, accountId, kind, subject, msOf(notAfter))
    if (recent !== undefined) return false
  }
  const channels = channelsOf(settingsOf(row), kind)
  const inserted = await tx.run(
    `insert into alerts
       (alert_id, account_id, channel, kind, subject, since, title, text, body, status, due_at, created_at)
     select $1, $2, channel, $4, $5, $6, $7, $8, $9, 'pending', $10, $10 from unnest($3::text[]) as channel
     on conflict (alert_id, channel) do nothing`,
    ...[id, accountId, channels, kind, subject, msOf(since), title, text, body, msOf(now)],
  )
  return inserted > 0
}

const RECENT =
  'select 1 from alerts where account_id = $1 and kind = $2 and subject = $3 and created_at > $4 limit 1'
