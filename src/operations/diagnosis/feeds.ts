import { FROZEN_BECAUSE } from '../../contract/console/system.ts'
import { type NamedSourceHealth, sourceProblems } from '../../model/source-health.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { feedIncidents } from './failing-feeds.ts'
import { type Finding, note, ok, problem } from './finding.ts'

const FEEDS_SHOWN_MAX = 20
/** During an outage of a store all feeds fail; an incident names four. */
const FAILING_FEEDS_MAX = 1_000

export async function* feedFindings(storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const counts = await storage.feeds.counts()
  const sum = (key: 'active' | 'failing' | 'due') => counts.reduce((total, count) => total + count[key], 0)
  yield ok(`${sum('active')} feeds are polled, ${sum('due')} are due now.`)
  const overdue = await storage.feeds.overdue(clock.now(), FEEDS_SHOWN_MAX)
  for (const feed of overdue.feeds) {
    yield problem(
      `overdue ${feed.id}`,
      `${feed.store} ${feed.appId}, ${feed.kind} of ${feed.market}: overdue, last polled ${feed.lastPolledAt?.toISOString() ?? 'never'}.`,
    )
  }
  if (overdue.count > overdue.feeds.length)
    yield problem('overdue', `And ${overdue.count - overdue.feeds.length} more feeds are overdue.`)
  const sources = await storage.sourceHealth.list()
  for (const text of sourceProblems(sources, clock.now())) yield note(text, text)
  for (const store of new Set(sources.map((one) => one.store))) {
    const shown = sources.filter((one) => one.store === store).map((one) => summaryOf(one, clock.now()))
    yield ok(`Sources of ${store}: ${shown.join('; ')}.`)
  }
  yield* sourceFindings(storage)
  yield* quarantineFindings(storage)
  const failing = await storage.feeds.list({ failingOnly: true, limit: FAILING_FEEDS_MAX })
  yield* feedIncidents(failing.map((feed) => ({ ...feed, appName: null })))
}

async function* sourceFindings(storage: Storage): AsyncGenerator<Finding> {
  const unusual = await storage.feeds.unusual({ limit: FEEDS_SHOWN_MAX + 1 })
  for (const { store, appId, kind, market, sources } of unusual.slice(0, FEEDS_SHOWN_MAX)) {
    const feed = `${store} ${appId}, ${kind} of ${market}`
    const { frozen, fallback } = sources
    if (frozen !== null) {
      yield note(
        `frozen ${feed}`,
        `${feed}: ${frozen.source} may have been frozen since ${frozen.since.toISOString()}. ${FROZEN_BECAUSE[frozen.reason]} Polling continues.`,
      )
    }
    if (fallback !== null) {
      yield note(
        `fallback ${feed}`,
        `${feed}: served by ${fallback.source} since ${fallback.since.toISOString()} (${fallback.reason}). The preferred sources are retried every six hours.`,
      )
    }
  }
  if (unusual.length > FEEDS_SHOWN_MAX)
    yield note('more feeds', 'And more feeds: the System page lists them.')
}

function summaryOf({ source, state, newestAt, overlap }: NamedSourceHealth, now: Date): string {
  const ageHours = newestAt === null ? null : (now.getTime() - newestAt.getTime()) / 3_600_000
  return [
    `${source} ${state}`,
    ...(ageHours === null ? [] : [`newest review ${ageHours.toFixed(1)} h old`]),
    ...(overlap === null ? [] : [`others show ${Math.round(overlap * 100)} % of its reviews too`]),
  ].join(', ')
}

async function* quarantineFindings(storage: Storage): AsyncGenerator<Finding> {
  const rows = await storage.feeds.quarantined({ limit: FEEDS_SHOWN_MAX + 1 })
  for (const { store, appId, market, rowKey, reason, lastSeenAt } of rows.slice(0, FEEDS_SHOWN_MAX)) {
    yield note(
      `row ${store} ${appId} ${market} ${rowKey}`,
      `${store} ${appId}, reviews of ${market}: row ${rowKey.slice(0, 40)} is in quarantine (${reason}), last seen ${lastSeenAt.toISOString()}. "radar quarantine" shows its raw form.`,
    )
  }
  if (rows.length > FEEDS_SHOWN_MAX) yield note('more rows', 'And more rows: "radar quarantine" lists them.')
}
