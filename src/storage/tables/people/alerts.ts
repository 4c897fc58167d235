import {
  type Alert,
  type AlertChannel,
  type AlertCondition,
  type AlertKind,
  type AlertSettings,
  CONNECTION_FAILING_MS,
  channelsOf,
  withAlertLink,
} from '../../../model/alert.ts'
import { recipientIdOf } from '../../../model/mail-recipient.ts'
import type { FeedKind, Store } from '../../../model/vocabulary.ts'
import { columns, flag, instant, integer, json, named, nullable, text, word } from '../../columns.ts'
import type { AlertStep, AlertStorage } from '../../port/alerts.ts'
import { msOf } from '../../values.ts'
import { type Db, get, run, sql, type Work } from '../../work.ts'
import { withoutGoodPollSince } from '../feeds/source-columns.ts'
import { unsubscribed } from '../hooks/hook-columns.ts'

const SETTINGS = columns({
  accountId: text,
  enabled: flag,
  emails: json<readonly string[]>(),
  unconfirmed: json<readonly string[]>(),
  unsubscribed,
  webhookUrl: nullable(text),
  webhookSecret: nullable(text),
})

/** What recipients decide. */
const CONSENTS = columns({ unconfirmed: json<readonly string[]>(), unsubscribed })

const CAUSE = { accountId: text, kind: word<AlertKind>(), subject: text, since: instant }

const NEW_ALERT = columns({
  alertId: text,
  channel: word<AlertChannel>(),
  ...CAUSE,
  title: text,
  text,
  body: text,
  status: word<AlertStep['status']>(),
  dueAt: instant,
  createdAt: instant,
})

/** Of `alerts a join alert_settings s`. */
const CLAIMED = columns(
  {
    seq: integer,
    channel: word<AlertChannel>(),
    attempts: integer,
    acceptedBy: named("coalesce(a.accepted_by, '[]')", json<readonly string[]>()),
    alert: {
      id: named('a.alert_id', text),
      accountId: named('a.account_id', text),
      kind: named('a.kind', word<AlertKind>()),
      subject: named('a.subject', text),
      since: named('a.since', instant),
      title: named('a.title', text),
      text: named('a.text', text),
      body: named('a.body', text),
    },
    settings: {
      accountId: named('s.account_id', text),
      enabled: named('s.enabled', flag),
      emails: named('s.emails', json<readonly string[]>()),
      unconfirmed: named('s.unconfirmed', json<readonly string[]>()),
      unsubscribed: named('s.unsubscribed', unsubscribed),
      webhookUrl: named('s.webhook_url', nullable(text)),
      webhookSecret: named('s.webhook_secret', nullable(text)),
    },
  },
  'a',
)

const ALERT_VIEW = columns({
  seq: integer,
  channel: word<AlertChannel>(),
  kind: word<AlertKind>(),
  title: text,
  createdAt: instant,
  status: word<AlertStep['status']>(),
  attempts: integer,
  problem: nullable(text),
})

const LAST_ALERT = columns({
  ...CAUSE,
  since: named('max(since)', instant),
  createdAt: named('max(created_at)', instant),
})

export function alertStorage(db: Db): AlertStorage {
  return {
    settings: (accountId) => db.alone(SETTINGS.find('from alert_settings where account_id = ?1', accountId)),

    saveSettings: ({ newSecret, newOnesAre, ...given }) =>
      db.transaction(function* () {
        const { accountId } = given
        // So that the first settings are locked too.
        const empty = { ...given, enabled: false, emails: [], webhookUrl: null }
        const first = { ...empty, unconfirmed: [], unsubscribed: [], webhookSecret: null }
        yield* SETTINGS.insert('alert_settings', first, 'on conflict (account_id) do nothing')
        const [before = first] = yield* SETTINGS.all(OF_ACCOUNTS, [accountId])
        const webhookSecret = before.webhookSecret ?? newSecret
        const unconfirmed = given.emails.filter(isUnconfirmed(before, newOnesAre))
        const after = { ...before, ...given, unconfirmed, webhookSecret }
        yield* SETTINGS.update('alert_settings', after, 'account_id = ?1', accountId)
        return before.webhookSecret === null && newSecret !== null
      }),

    async saveSecret(accountId, webhookSecret) {
      const update = 'update alert_settings set webhook_secret = ?1 where account_id = ?2'
      await db.alone(run(update, webhookSecret, accountId))
    },

    followLink: (accountId, link) =>
      db.transaction(function* () {
        const [settings] = yield* SETTINGS.all(OF_ACCOUNTS, [accountId])
        const changed = settings === undefined ? null : withAlertLink(settings, link)
        if (changed === null) return null
        yield* CONSENTS.update('alert_settings', changed.settings, 'account_id = ?1', accountId)
        return changed.address
      }),

    observe: (now) =>
      db.transaction(function* () {
        // The hour without another alert starts at the newest alert. A cause has ended when it no longer has the latest `since`.
        const last = LAST_ALERT.all("from alerts where kind <> 'test' group by account_id, kind, subject")
        return { conditions: yield* conditionsAt(now), last: yield* last }
      }),

    create: (alerts, now, notAfter) =>
      db.transaction(function* () {
        // Locked, so that only one of two nodes queues an alert.
        const settings = yield* SETTINGS.all(
          OF_ACCOUNTS,
          alerts.map(({ accountId }) => accountId),
        )
        let created = 0
        for (const alert of alerts) {
          const own = settings.find(({ accountId }) => accountId === alert.accountId)
          if (own !== undefined && (yield* queue(own, alert, now, notAfter))) created += 1
        }
        return created
      }),

    claim: (now, lease, leaseMs, limit) =>
      db.transaction(function* () {
        const claimed = yield* CLAIMED.all(DUE, msOf(now), limit)
        const seqs = claimed.map(({ seq }) => seq)
        yield* run(LEASE, lease, msOf(now) + leaseMs, seqs)
        return claimed.map((alert) => ({ ...alert, lease }))
      }),

    async settle({ seq, lease, acceptedBy }, step) {
      await db.alone(
        run(
          `update alerts set status = ?1, problem = ?2, due_at = coalesce(?3, due_at), accepted_by = ?4,
             attempts = attempts + 1, lease = null, leased_until = null
           where seq = ?5 and lease = ?6`,
          ...[step.status, step.problem, step.status === 'pending' ? msOf(step.dueAt) : null],
          ...[acceptedBy.length === 0 ? null : JSON.stringify(acceptedBy), seq, lease],
        ),
      )
    },

    list: (accountId, limit) =>
      db.alone(
        ALERT_VIEW.all('from alerts where account_id = ?1 order by seq desc limit ?2', accountId, limit),
      ),
  }
}

const OF_ACCOUNTS = sql(
  (d) => `from alert_settings where account_id ${d.among('?1', 'text')} order by account_id ${d.forUpdate()}`,
)

/** A form that lists an address which was removed meanwhile adds it as a new one. */
function isUnconfirmed(
  { accountId, emails, unconfirmed }: AlertSettings,
  newOnesAre: 'confirmed' | 'unconfirmed',
): (email: string) => boolean {
  const idsOf = (addresses: readonly string[]) =>
    new Set(addresses.map((email) => recipientIdOf(accountId, email)))
  const [stored, waiting] = [idsOf(emails), idsOf(unconfirmed)]
  return (email) => {
    const id = recipientIdOf(accountId, email)
    return stored.has(id) ? waiting.has(id) : newOnesAre === 'unconfirmed'
  }
}

const DUE = sql(
  (d) => `from alerts a join alert_settings s on s.account_id = a.account_id
    where a.status = 'pending' and a.due_at <= ?1 and (a.leased_until is null or a.leased_until <= ?1)
    order by a.due_at, a.seq limit ?2 ${d.forUpdate('of a skip locked')}`,
)

const LEASE = sql(
  (d) => `update alerts set lease = ?1, leased_until = ?2 where seq ${d.among('?3', 'bigint')}`,
)

/** Returns whether the alert was queued, for each current channel of its account. */
function* queue(settings: AlertSettings, alert: Alert, now: Date, notAfter: Date | null): Work<boolean> {
  const { id: alertId, accountId, kind, subject } = alert
  const recent =
    'select 1 from alerts where account_id = ?1 and kind = ?2 and subject = ?3 and created_at > ?4 limit 1'
  if (notAfter !== null && (yield* get(recent, accountId, kind, subject, msOf(notAfter))) !== undefined)
    return false
  const rows = channelsOf(settings, kind).map((channel) => ({
    ...{ ...alert, alertId, channel, status: 'pending' as const, dueAt: now, createdAt: now },
  }))
  return (yield* NEW_ALERT.insertAll('alerts', rows, 'on conflict (alert_id, channel) do nothing')) > 0
}

const DESTINATION = columns(
  {
    accountId: text,
    hookId: named('h.id', text),
    targetUrl: text,
    kind: named("'destination.' || n.kind", word<'destination.failing' | 'destination.recovered'>()),
    since: named('n.at', instant),
    detail: named('n.detail', text),
  },
  'h',
)

/** The last `failing` or `recovered` notice of every active hook of accounts with alerts. */
const DESTINATIONS = `from alert_settings s join hooks h on h.account_id = s.account_id
  join notices n on n.seq = (
    select seq from notices where hook_id = h.id and kind in ('failing', 'recovered') order by seq desc limit 1)
  where s.enabled = 1 and h.deleted_at is null and h.status = 'active'`

/**
 * Consecutive polls without a usable answer before a feed counts as failing. Stores often reject single requests. An
 * unknown format persists and counts at once.
 */
const FAILURES_MIN = 3

const FEED = columns(
  {
    accountId: named('fa.account_id', text),
    store: word<Store>(),
    appId: text,
    feed: named('f.kind', word<FeedKind>()),
    market: text,
    kind: named(
      "case f.last_outcome when 'changed' then 'feed.changed_format' else 'feed.failing' end",
      word<'feed.changed_format' | 'feed.failing'>(),
    ),
    since: named('f.failing_since', instant),
    detail: named('f.last_detail', nullable(text)),
  },
  'f',
)

const FEEDS = `from feeds f join feed_accounts fa on fa.feed_id = f.id join alert_settings s on s.account_id = fa.account_id
  where f.failing_since is not null and f.next_poll_at is not null and s.enabled = 1
    and (f.last_outcome = 'changed' or f.failures >= ${FAILURES_MIN})`

const CONNECTION = columns(
  {
    kind: named("'connection.failing'", word<'connection.failing'>()),
    accountId: text,
    connectionId: text,
    connectionName: named('c.name', text),
    store: word<Store>(),
    appId: text,
    isOnlySource: named("case s.state when 'official' then 1 else 0 end", flag),
    since: named('case when s.last_ok_at > s.changed_at then s.last_ok_at else s.changed_at end', instant),
    detail: named('case when s.failing_since is not null then s.problem end', nullable(text)),
  },
  's',
)

/**
 * Apps of connections without a good check since `?1`: their checks fail, or are as long overdue, as when no node polls.
 */
const CONNECTIONS = `from alert_settings a join review_sources s on s.account_id = a.account_id
  join store_connections c on c.id = s.connection_id
  where a.enabled = 1 and ${withoutGoodPollSince('?1')} and (s.failing_since is not null or s.next_poll_at < ?1)`

function* conditionsAt(now: Date): Work<AlertCondition[]> {
  return [
    ...(yield* DESTINATION.all(DESTINATIONS)),
    ...(yield* FEED.all(FEEDS)),
    ...(yield* CONNECTION.all(CONNECTIONS, msOf(now) - CONNECTION_FAILING_MS)),
  ]
}
