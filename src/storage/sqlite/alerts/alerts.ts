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
import type { Connection } from '../connect.ts'

export function alertStorage(db: Connection): AlertStorage {
  const settings = (accountId: string) => {
    const row = db.get<SettingsRow>(
      `select ${SETTINGS_COLUMNS} from alert_settings s where s.account_id = ?`,
      accountId,
    )
    return row === undefined ? null : settingsOf(row)
  }

  /** Returns whether the alert was queued. */
  const insert = (alert: Alert, now: Date, notAfter: Date | null): boolean => {
    const { id, accountId, kind, subject, since, title, text, body } = alert
    const target = settings(accountId)
    if (target === null) return false
    if (notAfter !== null && db.get(RECENT, accountId, kind, subject, msOf(notAfter)) !== undefined)
      return false
    const inserted = channelsOf(target, kind).map((channel) =>
      db.run(
        `insert into alerts
           (alert_id, account_id, channel, kind, subject, since, title, text, body, status, due_at, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending', ?10, ?10)
         on conflict (alert_id, channel) do nothing`,
        ...[id, accountId, channel, kind, subject, msOf(since), title, text, body, msOf(now)],
      ),
    )
    return inserted.some((rows) => rows > 0)
  }

  return {
    settings: async (accountId) => settings(accountId),

    saveSettings: async (given) => {
      db.run(
        `insert into alert_settings (account_id, enabled, emails, webhook_url, webhook_secret)
         values (?1, ?2, ?3, ?4, ?5)
         on conflict (account_id) do update set enabled = ?2, emails = ?3, webhook_url = ?4, webhook_secret = ?5`,
        ...settingsValues(given),
      )
    },

    observe: async (now) =>
      db.transaction(() => ({
        conditions: conditionsOf(
          db.all<DestinationRow>(DESTINATION_CONDITIONS),
          db.all<FeedRow>(FEED_CONDITIONS),
          db.all<ConnectionRow>(CONNECTION_CONDITIONS('?1'), checkedBefore(now)),
        ),
        last: db.all<LastRow>(LAST_ALERTS).map(lastOf),
      })),

    create: async (alerts, now, notAfter) =>
      db.transaction(() => alerts.filter((alert) => insert(alert, now, notAfter)).length),

    claim: async (now, lease, leaseMs, limit) =>
      db.transaction(() => {
        const rows = db.all<ClaimedAlertRow>(
          `select ${CLAIMED_ALERT_COLUMNS} from alerts a join alert_settings s on s.account_id = a.account_id
           where a.status = 'pending' and a.due_at <= ?1 and (a.leased_until is null or a.leased_until <= ?1)
           order by a.due_at, a.seq limit ?2`,
          msOf(now),
          limit,
        )
        for (const { seq } of rows) {
          db.run(
            'update alerts set lease = ?, leased_until = ? where seq = ?',
            lease,
            msOf(now) + leaseMs,
            seq,
          )
        }
        return rows.map((row) => claimedAlertOf(row, lease))
      }),

    settle: async ({ seq, lease }, step) => {
      db.run(
        `update alerts set status = ?, problem = ?, due_at = coalesce(?, due_at), attempts = attempts + 1, lease = null,
           leased_until = null
         where seq = ? and lease = ?`,
        step.status,
        step.status === 'sent' ? null : step.problem,
        step.status === 'pending' ? msOf(step.dueAt) : null,
        seq,
        lease,
      )
    },

    list: async (accountId, limit) =>
      db
        .all<AlertViewRow>(
          `select ${ALERT_VIEW_COLUMNS} from alerts where account_id = ? order by seq desc limit ?`,
          accountId,
          limit,
        )
        .map((row) => alertViewOf({ ...row })),
  }
}

const RECENT =
  'select 1 from alerts where account_id = ? and kind = ? and subject = ? and created_at > ? limit 1'
