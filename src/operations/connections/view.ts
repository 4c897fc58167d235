import type { ReviewHistory } from '../../model/review-history.ts'
import type { ReviewSource } from '../../model/review-source.ts'
import {
  type ConnectedApp,
  type Right,
  type StoreConnection,
  storeOfConnection,
} from '../../model/store-connection.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'

/** A connection without its credentials, with the apps that it reaches. */
export type ConnectionView = Omit<StoreConnection, 'credentials' | 'check'> & {
  readonly store: Store
  readonly check: Omit<StoreConnection['check'], 'apps'>
  readonly apps: readonly ReachedApp[]
}

export type ReachedApp = ConnectedApp & {
  /** Those that the account tracks or has watches for; empty for an app that it does not track. */
  readonly storefronts: readonly Storefront[]
  /** The connection from which the account's reviews of the app come; null: the public pages. */
  readonly sourceConnectionId: string | null
  /** Whether this connection is the source of the account's reviews of the app. */
  readonly source: ReachedSource | null
  /** The import of the app's history; null without one, and when the source is another one. */
  readonly history: ReviewHistory | null
}

export type ReachedSource = Pick<
  ReviewSource,
  'state' | 'changedAt' | 'lastOkAt' | 'failingSince' | 'problem'
>

/** The progress of an import as whole percent; null when the store does not say how much there is. */
export function historyPercent({ state, progress }: ReviewHistory): number | null {
  if (state === 'done') return 100
  if (progress === null) return null
  return progress.total === 0 ? 100 : Math.min(99, Math.floor((progress.done * 100) / progress.total))
}

export function connectionView(
  { credentials: _, check: { apps: reached, ...check }, ...connection }: StoreConnection,
  account: {
    readonly watched: readonly WatchedApp[]
    readonly sources: readonly ReviewSource[]
    readonly histories: readonly ReviewHistory[]
    /** When the newest answer that the store accepted through the connection was sent. */
    readonly acceptedAt: Date | null
  },
): ConnectionView {
  const { watched, sources, histories } = account
  const store = storeOfConnection(connection.kind)
  const unreached = unreachedApps(connection.id, reached, sources)
  return {
    ...connection,
    store,
    check: {
      ...check,
      rights: { ...check.rights, reply: replyRightOf(check.rights.reply, connection, account.acceptedAt) },
      warnings: [...check.warnings, ...unreached.map(({ appId }) => unreachedText(appId))],
    },
    apps: [...reached, ...unreached].map((app) => {
      const rows = watched.filter((row) => row.store === store && row.appId === app.appId)
      return {
        ...app,
        name: app.name ?? rows[0]?.name ?? null,
        storefronts: rows.map(({ storefront }) => storefront),
        sourceConnectionId:
          sources.find((each) => each.store === store && each.appId === app.appId)?.connectionId ?? null,
        source: sourceOf(connection.id, app.appId, sources),
        history: historyOf(connection.id, app.appId, sources, histories),
      }
    }),
  }
}

/** An accepted answer shows the right that a test of Apple's keys cannot see. */
function replyRightOf(
  tested: Right,
  { createdAt, rotatedAt }: Pick<StoreConnection, 'createdAt' | 'rotatedAt'>,
  acceptedAt: Date | null,
): Right {
  if (tested !== 'unknown' || acceptedAt === null) return tested
  return acceptedAt >= (rotatedAt ?? createdAt) ? 'granted' : 'unknown'
}

/** Apps that the connection is the source of, although its last test did not reach them: other credentials, or lost rights. */
function unreachedApps(
  connectionId: string,
  reached: readonly ConnectedApp[],
  sources: readonly ReviewSource[],
): ConnectedApp[] {
  return sources
    .filter((each) => each.connectionId === connectionId && !reached.some((app) => app.appId === each.appId))
    .map(({ appId }) => ({ appId, name: null, bundleId: null }))
}

function unreachedText(appId: string): string {
  return `${appId}: The credentials have no access to this app, but its reviews come from this connection. Give them access, or switch the app back to the public pages.`
}

function sourceOf(
  connectionId: string,
  appId: string,
  sources: readonly ReviewSource[],
): ReachedSource | null {
  const source = sources.find((each) => each.connectionId === connectionId && each.appId === appId)
  if (source === undefined) return null
  const { state, changedAt, lastOkAt, failingSince, problem } = source
  return { state, changedAt, lastOkAt, failingSince, problem }
}

function historyOf(
  connectionId: string,
  appId: string,
  sources: readonly ReviewSource[],
  histories: readonly ReviewHistory[],
): ReviewHistory | null {
  const source = sources.find((each) => each.connectionId === connectionId && each.appId === appId)
  return histories.find(({ sourceId }) => sourceId === source?.id) ?? null
}
