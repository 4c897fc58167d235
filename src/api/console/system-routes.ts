import type { SystemView } from '../../contract/console/system.ts'
import type { FeedView } from '../../model/feed.ts'
import { STORES, type Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage, PaceStorage } from '../../storage/port/feeds.ts'
import type { MaintenanceStorage } from '../../storage/port/maintenance.ts'
import { ApiError } from '../errors.ts'
import { type Route, route } from '../route.ts'

export type SystemDeps = {
  readonly engine: SystemView['engine']
  readonly feeds: Pick<FeedStorage, 'appNames' | 'list' | 'counts' | 'rawAnswer' | 'unusual' | 'quarantined'>
  readonly pace: Pick<PaceStorage, 'get'>
  readonly maintenance: Pick<MaintenanceStorage, 'nodes' | 'depths' | 'sizeBytes'>
  readonly clock: Clock
  /** The same as in `/readyz`. */
  readonly warnings: () => Promise<readonly string[]>
  readonly version: string
  readonly schemaVersion: number
  readonly startedAt: Date
  readonly requestsPerMinute: Readonly<Record<Store, number>>
  /** Secrets masked. */
  readonly settings: () => SystemView['settings']
}

const FEEDS_SHOWN = 500
const ROWS_SHOWN = 100
const ROWS_DOWNLOADED = 1_000
const MINUTE_MS = 60_000

/** Routes for operators; other users get 404. */
export function systemRoutes(deps: SystemDeps): Route[] {
  const { feeds, pace, maintenance, clock } = deps
  return [
    route({
      method: 'GET',
      path: '/system',
      access: 'operator',
      async run(): Promise<SystemView> {
        const now = clock.now()
        const [nodes, depths, storageBytes, counts, list, unusual, quarantined, stores, warnings] =
          await Promise.all([
            maintenance.nodes(),
            maintenance.depths(now),
            maintenance.sizeBytes(),
            feeds.counts(),
            feeds.list({ failingOnly: false, limit: FEEDS_SHOWN }),
            feeds.unusual({ limit: FEEDS_SHOWN }),
            feeds.quarantined({ limit: ROWS_SHOWN }),
            Promise.all(STORES.map(async (store) => ({ store, state: await pace.get(store) }))),
            deps.warnings(),
          ])
        const names = await feeds.appNames([...list, ...unusual, ...quarantined])
        const nameOf = ({ store, appId }: { readonly store: Store; readonly appId: string }) =>
          names.get(`${store}/${appId}`) ?? null
        return {
          version: deps.version,
          nodeVersion: process.version,
          engine: deps.engine,
          schemaVersion: deps.schemaVersion,
          storageBytes,
          startedAt: deps.startedAt.toISOString(),
          warnings,
          nodes: nodes.map(({ startedAt, seenAt, ...node }) => ({
            ...node,
            startedAt: startedAt.toISOString(),
            seenAt: seenAt.toISOString(),
          })),
          stores: stores.map(({ store, state }) => ({
            store,
            requestsPerMinuteMax: deps.requestsPerMinute[store],
            // How far in the future the next permit of the store is.
            used: Math.min(1, Math.max(0, (state.arrivalAtMs - now.getTime()) / MINUTE_MS)),
            blockedUntil:
              state.blockedUntil !== null && state.blockedUntil > now
                ? state.blockedUntil.toISOString()
                : null,
            blocks: state.blocks,
            lastDetail: state.lastDetail,
            feeds: counts
              .filter((count) => count.store === store)
              .map(({ kind, active, due, failing, fallback, frozen }) => ({
                kind,
                active,
                due,
                failing,
                fallback,
                frozen,
              })),
          })),
          queues: { ...depths, oldestDueAt: depths.oldestDueAt?.toISOString() ?? null },
          feeds: list.map((feed) => ({
            id: feed.id,
            store: feed.store,
            appId: feed.appId,
            appName: nameOf(feed),
            kind: feed.kind,
            market: feed.market,
            outcome: feed.lastOutcome,
            source: feed.lastSource,
            detail: feed.lastDetail,
            failingSince: feed.failingSince?.toISOString() ?? null,
            lastPolledAt: feed.lastPolledAt?.toISOString() ?? null,
            hasRawAnswer: feed.hasRawAnswer,
          })),
          sources: unusual.map((feed) => sourceView(feed, nameOf(feed))),
          quarantine: {
            total: counts.reduce((total, count) => total + count.quarantined, 0),
            rows: quarantined.map(
              ({ raw: _, rawHash: __, changedAt: ___, firstSeenAt, lastSeenAt, ...row }) => ({
                ...row,
                appName: nameOf(row),
                firstSeenAt: firstSeenAt.toISOString(),
                lastSeenAt: lastSeenAt.toISOString(),
              }),
            ),
          },
          settings: deps.settings(),
        }
      },
    }),

    route({
      method: 'GET',
      path: '/system/quarantine',
      access: 'operator',
      async run({ reply }) {
        const rows = await feeds.quarantined({ limit: ROWS_DOWNLOADED })
        return reply
          .type('text/plain; charset=utf-8')
          .header('content-disposition', 'attachment; filename="quarantine.jsonl"')
          .send(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      },
    }),

    route({
      method: 'GET',
      path: '/system/feeds/:id/raw',
      access: 'operator',
      async run({ param, reply }) {
        const id = param('id')
        const raw = /^\d{1,9}$/.test(id) ? await feeds.rawAnswer(Number(id)) : null
        if (raw === null) throw new ApiError('not_found', 'No raw answer of this feed is stored.')
        return reply
          .type('text/plain; charset=utf-8')
          .header('content-disposition', `attachment; filename="feed-${id}.txt"`)
          .send(raw)
      },
    }),
  ]
}

function sourceView(
  { id, store, appId, kind, market, sources }: FeedView,
  appName: string | null,
): SystemView['sources'][number] {
  const { fallback, frozen } = sources
  return {
    id,
    store,
    appId,
    appName,
    kind,
    market,
    fallback:
      fallback === null
        ? null
        : { ...fallback, since: fallback.since.toISOString(), probedAt: fallback.probedAt.toISOString() },
    frozen: frozen === null ? null : { ...frozen, since: frozen.since.toISOString() },
  }
}
