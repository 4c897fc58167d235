import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionCondition } from '../../model/alert.ts'
import type { LastAlert } from '../../storage/port/alerts.ts'
import { dueAlerts } from './rules.ts'
import { createUncheckedApps } from './unchecked-apps.ts'

const NOON = new Date('2026-03-01T12:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const after = (ms: number) => new Date(NOON.getTime() + ms)
const link = (path: string) => `https://radar.example.com${path}`

function app(given: Partial<ConnectionCondition> = {}): ConnectionCondition {
  return {
    kind: 'connection.failing',
    accountId: 'acc_1',
    connectionId: 'con_1',
    connectionName: 'Play key',
    store: 'google',
    appId: 'com.example.one',
    isOnlySource: true,
    since: NOON,
    detail: 'Google rejected the access token.',
    ...given,
  }
}

const dueAt = (now: Date, ...conditions: ConnectionCondition[]) =>
  dueAlerts({ conditions, last: [] }, now, link)
const onlyDueAt = (now: Date, ...conditions: ConnectionCondition[]) => {
  const [alert, ...others] = dueAt(now, ...conditions)
  assert.ok(alert)
  assert.deepEqual(others, [])
  return alert
}

test('the apps of a connection share one alert, which says when reviews get lost and what to do', () => {
  const alert = onlyDueAt(after(7 * HOUR_MS), app(), app({ appId: 'com.example.two' }))
  assert.equal(alert.title, 'Google Play: 2 apps without a successful check for hours (Play key)')
  assert.equal(
    alert.text,
    [
      'com.example.one, last successful check 2026-03-01 12:00 UTC: Google rejected the access token.',
      'com.example.two, last successful check 2026-03-01 12:00 UTC: Google rejected the access token.',
      '',
      'Google shows reviews for seven days. Reviews that no check reads by 2026-03-08 12:00 UTC get no events.',
      'What to do: Correct the problem above, or open Stores in the console and choose "Replace key".',
      'https://radar.example.com/stores',
    ].join('\n'),
  )
})

test('after five days without a good check of Google Play the alert names the last moment to act', () => {
  assert.equal(onlyDueAt(after(5 * DAY_MS), app()).kind, 'connection.failing')
  const alert = onlyDueAt(after(5 * DAY_MS + 1), app())
  assert.equal(alert.kind, 'connection.losing_reviews')
  assert.equal(alert.title, 'Google Play: reviews of 1 app are lost after 2026-03-08 12:00 UTC (Play key)')
  const action =
    'Before 2026-03-08 12:00 UTC, correct the problem above, or open Stores in the console and choose "Replace key". If you cannot, choose "Use public pages" there for each app: they show most of these reviews.'
  assert.ok(alert.text.includes(`What to do: ${action}`), alert.text)
  assert.deepEqual(JSON.parse(alert.body), {
    id: alert.id,
    event_id: alert.id,
    event_type: 'connection.losing_reviews',
    account_id: 'acc_1',
    occurred_at: '2026-03-01T12:00:00.000Z',
    connection_id: 'con_1',
    connection_name: 'Play key',
    store: 'google',
    app_count: 1,
    apps: [
      {
        app_id: 'com.example.one',
        since: '2026-03-01T12:00:00.000Z',
        detail: 'Google rejected the access token.',
      },
    ],
    reviews_lost_after: '2026-03-08T12:00:00.000Z',
    action,
    console_url: 'https://radar.example.com/stores',
  })
})

test('after seven days the alert names the monthly reports', () => {
  assert.match(onlyDueAt(after(8 * DAY_MS), app()).text, /choose "Import history" there/)
})

test('App Store Connect keeps reviews, and so do the public pages until the first good check', () => {
  const apple = onlyDueAt(after(30 * DAY_MS), app({ store: 'apple' }))
  assert.deepEqual([apple.kind, JSON.parse(apple.body).reviews_lost_after], ['connection.failing', null])
  assert.match(apple.text, /The store keeps the reviews: the next successful check reads them\./)
  const switching = onlyDueAt(after(30 * DAY_MS), app({ isOnlySource: false }))
  assert.equal(switching.kind, 'connection.failing')
  assert.match(switching.text, /Until the first successful check, reviews come from the public pages\./)
})

test('an app that no node checks is reported with the role to start', () => {
  assert.match(
    onlyDueAt(after(6 * DAY_MS), app({ detail: null })).text,
    /No node checks this app\.[\s\S]*What to do: Start a node with the role "poll" before 2026-03-08 12:00 UTC \(RADAR_ROLES\)\./,
  )
})

test('each outage causes one alert of each kind, and the next outage another', () => {
  const last: LastAlert[] = []
  const kinds = (now: Date, ...conditions: ConnectionCondition[]) =>
    dueAlerts({ conditions, last }, now, link).map((alert) => {
      last.push({ ...alert, createdAt: now })
      return alert.kind
    })
  assert.deepEqual(kinds(after(6 * HOUR_MS), app()), ['connection.failing'])
  assert.deepEqual(kinds(after(DAY_MS), app()), [])
  assert.deepEqual(kinds(after(6 * DAY_MS), app()), ['connection.losing_reviews'])
  assert.deepEqual(kinds(after(7 * DAY_MS), app()), [])
  assert.deepEqual(kinds(after(9 * DAY_MS), app({ since: after(8 * DAY_MS) })), ['connection.failing'])
})

test('overdue checks count only after a quarter of an hour, failed ones at once', () => {
  const withoutFresh = createUncheckedApps()
  const overdue = app({ detail: null })
  const failed = app({ appId: 'com.example.two' })
  assert.deepEqual(withoutFresh([overdue, failed], NOON), [failed])
  assert.deepEqual(withoutFresh([overdue], after(HOUR_MS / 4)), [overdue])
  assert.deepEqual(withoutFresh([], after(HOUR_MS)), [])
  assert.deepEqual(withoutFresh([overdue], after(2 * HOUR_MS)), [])
})
