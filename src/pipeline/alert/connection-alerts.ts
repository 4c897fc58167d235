import type { AlertCause, AlertCondition, ConnectionCondition } from '../../model/alert.ts'
import { GOOGLE_AT_RISK_MS, GOOGLE_SHOWN_MS } from '../../model/review-source.ts'

/** An address of the console; null when the node does not know its public URL. */
export type Link = (path: string) => string | null

export type AlertContent = {
  readonly title: string
  readonly lines: readonly string[]
  readonly fields: object
}

type ConnectionCause = AlertCause & { readonly since: Date; readonly content: (link: Link) => AlertContent }

type Apps = readonly [ConnectionCondition, ...ConnectionCondition[]]

const NAMES = { apple: 'App Store Connect', google: 'Google Play' } as const
/** Apps in one alert; a revoked key concerns all apps of a connection. */
const APPS_SHOWN = 20
const NOT_CHECKED = 'No node checks this app.'

/**
 * The causes of alerts about store connections. `connection.losing_reviews` replaces `connection.failing` for an app of Google
 * whose reviews are about to leave the seven days that Google shows. Pure.
 */
export function connectionCauses(conditions: readonly AlertCondition[], now: Date): ConnectionCause[] {
  const groups = new Map<string, Apps>()
  for (const each of conditions) {
    if (!('connectionId' in each)) continue
    const key = JSON.stringify([each.accountId, each.connectionId, isLosing(each, now)])
    const group = groups.get(key)
    groups.set(key, group === undefined ? [each] : [...group, each])
  }
  return [...groups.values()].map((apps) => {
    const [{ accountId, connectionId }] = apps
    const losing = isLosing(apps[0], now)
    const kind = losing ? 'connection.losing_reviews' : 'connection.failing'
    const since = new Date(Math.max(...apps.map((app) => app.since.getTime())))
    const content = (link: Link) => contentOf(apps, losing, now, link('/stores'))
    return { accountId, kind, subject: connectionId, since, content }
  })
}

function isLosing({ store, isOnlySource, since }: ConnectionCondition, now: Date): boolean {
  return store === 'google' && isOnlySource && now.getTime() - since.getTime() > GOOGLE_AT_RISK_MS
}

function contentOf(apps: Apps, losing: boolean, now: Date, url: string | null): AlertContent {
  const [{ store, connectionId, connectionName }] = apps
  const shown = [...apps].sort((a, b) => b.since.getTime() - a.since.getTime()).slice(0, APPS_SHOWN)
  const lostAfter = lostAfterOf(apps)
  const action = actionOf(apps, losing ? lostAfter : null, now)
  const count = apps.length === 1 ? '1 app' : `${apps.length} apps`
  return {
    title:
      losing && lostAfter !== null
        ? `${NAMES[store]}: reviews of ${count} are lost after ${minuteOf(lostAfter)} (${connectionName})`
        : `${NAMES[store]}: ${count} without a successful check for hours (${connectionName})`,
    lines: [
      ...shown.map(
        ({ appId, since, detail }) =>
          `${appId}, last successful check ${minuteOf(since)}: ${detail ?? NOT_CHECKED}`,
      ),
      ...(apps.length > shown.length ? [`and ${apps.length - shown.length} more`] : []),
      '',
      effectOf(apps, lostAfter),
      `What to do: ${action}`,
      ...(url === null ? [] : [url]),
    ],
    fields: {
      connection_id: connectionId,
      connection_name: connectionName,
      store,
      app_count: apps.length,
      apps: shown.map(({ appId, since, detail }) => ({
        app_id: appId,
        since: since.toISOString(),
        detail: detail ?? NOT_CHECKED,
      })),
      reviews_lost_after: lostAfter?.toISOString() ?? null,
      action,
      console_url: url,
    },
  }
}

/** When the first review leaves the time that Google shows; null when none can be lost. */
function lostAfterOf(apps: Apps): Date | null {
  const atRisk = apps.filter(({ store, isOnlySource }) => store === 'google' && isOnlySource)
  if (atRisk.length === 0) return null
  return new Date(Math.min(...atRisk.map(({ since }) => since.getTime())) + GOOGLE_SHOWN_MS)
}

function effectOf(apps: Apps, lostAfter: Date | null): string {
  if (lostAfter !== null) {
    return `Google shows reviews for seven days. Reviews that no check reads by ${minuteOf(lostAfter)} get no events.`
  }
  return apps.some(({ isOnlySource }) => isOnlySource)
    ? 'Meanwhile new reviews of these apps cause no events. The store keeps the reviews: the next successful check reads them.'
    : 'Until the first successful check, reviews come from the public pages.'
}

/** `lostAfter`: for an alert about reviews that get lost. */
function actionOf(apps: Apps, lostAfter: Date | null, now: Date): string {
  if (apps.every(({ detail }) => detail === null)) {
    const late = lostAfter === null ? '' : ` before ${minuteOf(lostAfter)}`
    return `Start a node with the role "poll"${late} (RADAR_ROLES).`
  }
  const repair = 'correct the problem above, or open Stores in the console and choose "Replace key"'
  if (lostAfter === null) return `${upper(repair)}.`
  if (now >= lostAfter) {
    return `${upper(repair)}. Then choose "Import history" there: the monthly reports have the missed reviews.`
  }
  return `Before ${minuteOf(lostAfter)}, ${repair}. If you cannot, choose "Use public pages" there for each app: they show most of these reviews.`
}

function upper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** E.g. `2026-03-08 12:00 UTC`. */
function minuteOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
