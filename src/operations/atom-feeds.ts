import { randomBytes } from 'node:crypto'
import type { AtomFeed } from '../model/atom-feed.ts'
import type { AppKey } from '../model/hook.ts'
import { newId } from '../model/ids.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AtomFeedStorage } from '../storage/port/atom-feeds.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import type { ReportStorage, ReviewFilter, ReviewRecord } from '../storage/port/reports.ts'
import { OperationError } from './error.ts'
import { tokenHash } from './tokens.ts'

export type AtomFeedDeps = {
  readonly atomFeeds: AtomFeedStorage
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly reports: Pick<ReportStorage, 'reviews'>
  readonly clock: Clock
}

export type AtomFeedContent = {
  readonly feed: AtomFeed
  /** Null while no store has provided it. */
  readonly appName: string | null
  /** Newest first; empty when the account no longer tracks the app. */
  readonly reviews: readonly ReviewRecord[]
}

/** Distinguishes the token of a feed from that of the API. */
const PREFIX = 'rsf_'
const TOKEN = /^rsf_[\w-]{43}$/
const TOKEN_BYTES = 32
/** More readers than an account has. */
const ATOM_FEEDS_MAX = 100

/** Addresses that show the reviews of one app to whoever has them. */
export function atomFeedOperations({ atomFeeds, hooks, reports, clock }: AtomFeedDeps) {
  const isOf =
    ({ store, appId }: AppKey) =>
    (other: AppKey) =>
      other.store === store && other.appId === appId

  const requireApp = async (accountId: string, app: AppKey) => {
    if ((await hooks.watchedApps(accountId)).some(isOf(app))) return
    throw new OperationError('not_found', 'The account does not track this app.')
  }

  return {
    /**
     * Creates an address for an app of the account. Only this return value has its token. Throws `not_found` for an app that the account
     * does not track, and `conflict` when the account has `ATOM_FEEDS_MAX`.
     */
    async create(
      accountId: string,
      { store, appId }: AppKey,
    ): Promise<{ readonly feed: AtomFeed; readonly token: string }> {
      await requireApp(accountId, { store, appId })
      const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
      const feed = { id: newId('atom'), accountId, store, appId, createdAt: clock.now() }
      await atomFeeds.create(feed, tokenHash(token), ATOM_FEEDS_MAX)
      return { feed, token }
    },

    /** Newest first; those of one app, or of all. Throws `not_found` for an app that the account does not track. */
    async list(accountId: string, app: AppKey | null): Promise<AtomFeed[]> {
      if (app !== null) await requireApp(accountId, app)
      const feeds = await atomFeeds.list(accountId)
      return app === null ? feeds : feeds.filter(isOf(app))
    },

    /** The address fails from now on. Throws `not_found`. */
    async revoke(accountId: string, id: string): Promise<void> {
      if (await atomFeeds.remove(accountId, id)) return
      throw new OperationError('not_found', 'The account has no Atom feed with this id.')
    },

    /** The feed of an address; null for an unknown or revoked token. */
    find: async (token: string): Promise<AtomFeed | null> =>
      TOKEN.test(token) ? atomFeeds.find(tokenHash(token)) : null,

    /** The newest `limit` reviews of a feed that match the filter. */
    async read(
      feed: AtomFeed,
      filter: Omit<ReviewFilter, 'store' | 'appId'>,
      limit: number,
    ): Promise<AtomFeedContent> {
      const { accountId, store, appId } = feed
      const [{ reviews }, watched] = await Promise.all([
        reports.reviews(accountId, { ...filter, store, appId }, { limit, before: null }),
        hooks.watchedApps(accountId),
      ])
      return { feed, appName: watched.find(isOf(feed))?.name ?? null, reviews }
    },
  }
}
