import { type Alert, type AlertCause, type AlertCondition, alertIdOf } from '../../model/alert.ts'
import type { LastAlert } from '../../storage/port/alerts.ts'
import { type AlertContent, connectionCauses, type Link } from './connection-alerts.ts'

/** At most one alert for each cause in this time. */
export const ALERT_EVERY_MS = 3_600_000

/** Feeds in one alert; an outage of a store concerns all feeds of it. */
const FEEDS_SHOWN = 20

type DestinationCondition = Extract<AlertCondition, { hookId: string }>
type FeedCondition = Extract<AlertCondition, { feed: string }>

export type Observed = { readonly conditions: readonly AlertCondition[]; readonly last: readonly LastAlert[] }

/**
 * The alerts that are due. A cause is a destination that fails or recovered, a store whose feeds fail or changed their format, or a store
 * connection without good checks. A cause that recurs within the hour is reported at the end of the hour if it persists. A recovery is
 * reported only after its failure was reported. Pure. `link` makes an address of the console, or null.
 */
export function dueAlerts({ conditions, last }: Observed, now: Date, link: Link): Alert[] {
  const known = new Map(last.map((each) => [keyOf(each), each]))
  const isDue = (alert: Alert) => {
    const before = known.get(keyOf(alert))
    if (before !== undefined && now.getTime() - before.createdAt.getTime() < ALERT_EVERY_MS) return false
    if (alert.kind !== 'destination.recovered') return before === undefined || alert.since > before.since
    const failing = known.get(keyOf({ ...alert, kind: 'destination.failing' }))
    return failing !== undefined && (before === undefined || before.since < failing.since)
  }
  return [
    ...conditions.filter((each) => 'hookId' in each).map((each) => destinationAlert(each, link)),
    ...[...feedGroups(conditions)].map((feeds) => feedAlert(feeds, link)),
    ...connectionCauses(conditions, now).map((cause) => alertOf(cause, cause.since, cause.content(link))),
  ].filter(isDue)
}

/** A test alert, to check the channels. */
export function testAlert(accountId: string, now: Date): Alert {
  return alertOf({ accountId, kind: 'test', subject: '' }, now, {
    title: 'Test alert',
    lines: ['Alerts of Review Radar arrive here.'],
    fields: {},
  })
}

function destinationAlert(each: DestinationCondition, link: Link): Alert {
  const { accountId, kind, hookId, targetUrl, since, detail } = each
  const url = link(`/destinations/${encodeURIComponent(hookId)}`)
  const state = kind === 'destination.failing' ? 'is failing' : 'recovered'
  return alertOf({ accountId, kind, subject: hookId }, since, {
    title: `Destination ${state}: ${targetUrl}`,
    lines: [detail, ...(url === null ? [] : [url])],
    fields: { hook_id: hookId, target_url: targetUrl, detail, console_url: url },
  })
}

const STORE_NAMES = { apple: 'App Store', google: 'Google Play' } as const

function feedAlert([first, ...others]: readonly [FeedCondition, ...FeedCondition[]], link: Link): Alert {
  const feeds = [first, ...others].sort((a, b) => b.since.getTime() - a.since.getTime())
  const { accountId, kind, store } = first
  const count = feeds.length === 1 ? '1 feed' : `${feeds.length} feeds`
  const what = kind === 'feed.failing' ? 'without a usable response' : 'in an unknown format'
  const shown = feeds.slice(0, FEEDS_SHOWN)
  const url = link('/apps')
  return alertOf({ accountId, kind, subject: store }, feeds[0]?.since ?? first.since, {
    title: `${STORE_NAMES[store]}: ${count} ${what}`,
    lines: [
      ...shown.map(
        ({ appId, feed, market, since, detail }) =>
          `${appId} (${market}) ${feed}, since ${since.toISOString()}${detail === null ? '' : `: ${detail}`}`,
      ),
      ...(feeds.length > shown.length ? [`and ${feeds.length - shown.length} more`] : []),
      ...(url === null ? [] : [url]),
    ],
    fields: {
      store,
      feed_count: feeds.length,
      feeds: shown.map(({ appId, feed, market, since, detail }) => ({
        app_id: appId,
        kind: feed,
        market,
        since: since.toISOString(),
        detail,
      })),
      console_url: url,
    },
  })
}

function feedGroups(conditions: readonly AlertCondition[]): Iterable<[FeedCondition, ...FeedCondition[]]> {
  const groups = new Map<string, [FeedCondition, ...FeedCondition[]]>()
  for (const each of conditions) {
    if (!('feed' in each)) continue
    const key = keyOf({ ...each, subject: each.store })
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return groups.values()
}

function alertOf(cause: AlertCause, since: Date, content: AlertContent): Alert {
  const id = alertIdOf(cause, since)
  const body = {
    id,
    event_id: id,
    event_type: cause.kind === 'test' ? 'alert.test' : cause.kind,
    account_id: cause.accountId,
    occurred_at: since.toISOString(),
    ...content.fields,
  }
  return {
    ...cause,
    id,
    since,
    title: content.title,
    text: content.lines.join('\n'),
    body: JSON.stringify(body),
  }
}

function keyOf({ accountId, kind, subject }: AlertCause): string {
  return JSON.stringify([accountId, kind, subject])
}
