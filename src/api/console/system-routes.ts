import type { SystemView } from '../../contract/console/system.ts'
import type { Readiness } from '../../contract/readiness.ts'
import type { DiskSpace } from '../../model/disk-space.ts'
import type { FeedView } from '../../model/feed.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Operations } from '../../operations/operations.ts'
import { notFound } from '../add-routes.ts'
import { type Route, route } from '../route.ts'

export type SystemDeps = {
  readonly engine: SystemView['engine']
  readonly operations: Pick<Operations, 'system'>
  /** The same as in `/readyz`. */
  readonly readiness: () => Promise<Readiness>
  readonly disk: { readonly state: () => { readonly space: DiskSpace | null } }
  readonly version: string
  readonly schemaVersion: number
  readonly startedAt: Date
  readonly requestsPerMinute: Readonly<Record<Store, number>>
  /** Secrets masked. */
  readonly settings: () => SystemView['settings']
}

const MINUTE_MS = 60_000

/** Routes for operators; other users get 404. */
export function systemRoutes(deps: SystemDeps): Route[] {
  const { system } = deps.operations
  return [
    route({
      method: 'GET',
      path: '/system',
      access: 'operator',
      async run(): Promise<SystemView> {
        const [state, { reasons, warnings }] = await Promise.all([system.state(), deps.readiness()])
        const { now, counts, names, storageBytes } = state
        const nameOf = ({ store, appId }: { readonly store: Store; readonly appId: string }) =>
          names.get(`${store}/${appId}`) ?? null
        return {
          version: deps.version,
          nodeVersion: process.version,
          engine: deps.engine,
          schemaVersion: deps.schemaVersion,
          storageBytes,
          startedAt: deps.startedAt.toISOString(),
          diskFreeBytes: deps.disk.state().space?.freeBytes ?? null,
          reasons,
          warnings,
          nodes: state.nodes.map(({ startedAt, seenAt, ...node }) => ({
            ...node,
            startedAt: startedAt.toISOString(),
            seenAt: seenAt.toISOString(),
          })),
          stores: state.stores.map(({ store, pace }) => ({
            store,
            requestsPerMinuteMax: deps.requestsPerMinute[store],
            // How far in the future the next permit of the store is.
            used: Math.min(1, Math.max(0, (pace.arrivalAtMs - now.getTime()) / MINUTE_MS)),
            blockedUntil:
              pace.blockedUntil !== null && pace.blockedUntil > now ? pace.blockedUntil.toISOString() : null,
            blocks: pace.blocks,
            lastDetail: pace.lastDetail,
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
          queues: { ...state.depths, oldestDueAt: state.depths.oldestDueAt?.toISOString() ?? null },
          feeds: state.feeds.map((feed) => ({
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
          sources: state.unusual.map((feed) => sourceView(feed, nameOf(feed))),
          quarantine: {
            total: counts.reduce((total, count) => total + count.quarantined, 0),
            rows: state.quarantined.map(
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
        const rows = await system.quarantined()
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
        if (!/^\d{1,9}$/.test(id)) throw notFound()
        const raw = await system.rawAnswer(Number(id))
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
