import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertCondition } from '../../model/alert.ts'
import type { LastAlert } from '../../storage/port/alerts.ts'
import { dueAlerts, testAlert } from './rules.ts'

const NOON = new Date('2026-03-01T12:00:00Z')
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const link = (path: string) => `https://radar.example.com${path}`

function destination(kind: 'failing' | 'recovered', since: Date): AlertCondition {
  return {
    kind: `destination.${kind}`,
    accountId: 'acc_1',
    hookId: 'api-1',
    targetUrl: 'https://example.com/hook',
    since,
    detail: '4 attempts in a row failed.',
  }
}

function feed(given: Partial<Extract<AlertCondition, { feed: string }>> = {}): AlertCondition {
  return {
    kind: 'feed.failing',
    accountId: 'acc_1',
    store: 'apple',
    appId: '1',
    feed: 'reviews',
    market: 'us',
    since: NOON,
    detail: 'HTTP 403',
    ...given,
  }
}

/** Runs passes at the given minutes with their conditions. Returns the minute and kind of each alert that was due. */
function over(...passes: readonly (readonly [minute: number, ...conditions: AlertCondition[]])[]): string[] {
  const last: LastAlert[] = []
  return passes.flatMap(([minute, ...conditions]) => {
    const now = at(minute)
    const due = dueAlerts({ conditions, last }, now, link)
    for (const { accountId, kind, subject, since } of due) {
      const before = last.findIndex((each) => each.kind === kind && each.subject === subject)
      if (before >= 0) last.splice(before, 1)
      last.push({ accountId, kind, subject, since, createdAt: now })
    }
    return due.map(({ kind }) => `${minute} ${kind}`)
  })
}

test('a failing destination is reported once, and its recovery', () => {
  const failing = destination('failing', at(0))
  const recovered = destination('recovered', at(5))
  assert.deepEqual(over([0, failing], [1, failing], [120, failing], [125, recovered], [126, recovered]), [
    '0 destination.failing',
    '125 destination.recovered',
  ])
})

test('a recovery without a reported failure is not reported', () => {
  assert.deepEqual(over([0, destination('recovered', at(0))]), [])
})

test('a destination that fails again within the hour is reported at the end of the hour, if it still fails', () => {
  const again = destination('failing', at(20))
  assert.deepEqual(
    over(
      [0, destination('failing', at(0))],
      [10, destination('recovered', at(10))],
      [20, again],
      [60, again],
    ),
    ['0 destination.failing', '10 destination.recovered', '60 destination.failing'],
  )
  assert.deepEqual(
    over(
      [0, destination('failing', at(0))],
      [10, destination('recovered', at(10))],
      [20, again],
      [60, destination('recovered', at(30))],
    ),
    ['0 destination.failing', '10 destination.recovered'],
  )
})

test('the failing feeds of a store share one alert, and a feed that fails later gets another', () => {
  const first = [feed(), feed({ market: 'de' }), feed({ appId: '2' })]
  const [alert, ...others] = dueAlerts({ conditions: first, last: [] }, NOON, link)
  assert.equal(others.length, 0)
  assert.equal(alert?.title, 'App Store: 3 feeds without a usable response')
  assert.deepEqual(JSON.parse(alert?.body ?? '').feed_count, 3)
  const later = feed({ market: 'fr', since: at(70) })
  assert.deepEqual(over([0, ...first], [70, ...first, later], [140, ...first], [200, feed()]), [
    '0 feed.failing',
    '70 feed.failing',
  ])
})

test('stores, kinds and accounts get separate alerts', () => {
  const conditions = [
    feed(),
    feed({ store: 'google' }),
    feed({ kind: 'feed.changed_format' }),
    feed({ accountId: 'acc_2' }),
  ]
  const due = dueAlerts({ conditions, last: [] }, NOON, link)
  assert.equal(new Set(due.map(({ id }) => id)).size, 4)
})

test('an alert has ids for programs and a link for people', () => {
  const [alert] = dueAlerts({ conditions: [destination('failing', NOON)], last: [] }, NOON, link)
  assert.ok(alert)
  assert.deepEqual(JSON.parse(alert.body), {
    id: alert.id,
    event_id: alert.id,
    event_type: 'destination.failing',
    account_id: 'acc_1',
    occurred_at: '2026-03-01T12:00:00.000Z',
    hook_id: 'api-1',
    target_url: 'https://example.com/hook',
    detail: '4 attempts in a row failed.',
    console_url: 'https://radar.example.com/destinations/api-1',
  })
  assert.equal(alert.title, 'Destination is failing: https://example.com/hook')
  assert.match(alert.text, /radar\.example\.com\/destinations\/api-1/)
  assert.notEqual(testAlert('acc_1', NOON).id, testAlert('acc_1', at(1)).id)
})
