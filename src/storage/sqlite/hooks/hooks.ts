import type { Hook, HookWithWatches, Watch } from '../../../model/hook.ts'
import { INBOX_TARGET } from '../../../model/inbox.ts'
import {
  appsOf,
  HOOK_COLUMNS,
  type HookRow,
  hookOf,
  hookValues,
  secretsText,
  WATCH_COLUMNS,
  type WatchRow,
  watchesBeside,
  watchOf,
  withWatches,
} from '../../hooks/hook-rows.ts'
import { checkRoom } from '../../people/account-usage.ts'
import type { HookStorage } from '../../port/hooks.ts'
import { jsonOrNull, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { expediteFeeds, settleFeeds } from '../feeds/coverage.ts'
import { trackStorefronts, watchedApps } from '../feeds/watched-apps.ts'
import { once, within } from '../people/account-limits.ts'
import { createLane, endLane, moveLane, openLane, pauseLane } from '../queue/lanes.ts'

export function hookStorage(db: Connection): HookStorage {
  return {
    create: async (hook, watches, { limits, once: key } = {}) =>
      db.transaction(() =>
        once(db, hook.accountId, hook.createdAt, key, () =>
          within(db, hook.accountId, limits, () => create(db, hook, watches)),
        ),
      ),

    addToInbox: async (hook, watches, limits) =>
      db.transaction(() =>
        within(db, hook.accountId, limits, () => addToInbox(db, hook, watches, limits?.watchesMax)),
      ),

    get: async (accountId, id) => db.snapshot(() => find(db, accountId, id)),

    list: async (accountId) =>
      db.snapshot(() =>
        withWatches(
          db.all<HookRow>(
            `select ${HOOK_COLUMNS} from hooks where account_id = ? and deleted_at is null order by created_at, id`,
            accountId,
          ),
          db.all<WatchRow>(
            `select ${WATCH_COLUMNS} from watches where account_id = ? order by created_at, id`,
            accountId,
          ),
        ),
      ),

    listAll: async () =>
      db.snapshot(() =>
        withWatches(
          db.all<HookRow>(
            `select ${HOOK_COLUMNS} from hooks where deleted_at is null order by created_at, id`,
          ),
          db.all<WatchRow>(`select ${WATCH_COLUMNS} from watches order by created_at, id`),
        ),
      ),

    remove: async (accountId, id, now) =>
      db.transaction(() => {
        const removed = db.run(
          'update hooks set deleted_at = ? where id = ? and account_id = ? and deleted_at is null',
          msOf(now),
          id,
          accountId,
        )
        if (removed === 0) return false
        const apps = appsOf(watchesOf(db, id))
        db.run('delete from watches where hook_id = ?', id)
        endLane(db, id, 'deleted', now)
        for (const app of apps) settleFeeds(db, app)
        return true
      }),

    setStatus: async (accountId, id, status, now) =>
      db.transaction(() => {
        const hook = find(db, accountId, id)
        // Pausing a gone hook would start its polls again.
        if (hook === null || hook.status === status || (hook.status === 'gone' && status === 'paused'))
          return hook
        db.run('update hooks set status = ? where id = ?', status, id)
        if (status === 'active') openLane(db, id, now)
        else pauseLane(db, id)
        if (hook.status === 'gone') for (const app of appsOf(hook.watches)) settleFeeds(db, app)
        return { ...hook, status }
      }),

    update: async (accountId, id, change) =>
      db.transaction(() => {
        const hook = find(db, accountId, id)
        if (hook === null) return null
        const changed = {
          ...hook,
          targetUrl: change.targetUrl ?? hook.targetUrl,
          name: change.name === undefined ? hook.name : change.name,
          description: change.description === undefined ? hook.description : change.description,
          ratePerSecond: change.ratePerSecond === undefined ? hook.ratePerSecond : change.ratePerSecond,
          secrets: change.secrets?.(hook.secrets) ?? hook.secrets,
        }
        db.run(
          'update hooks set target_url = ?, name = ?, description = ?, rate_per_second = ?, secrets = ? where id = ?',
          changed.targetUrl,
          changed.name,
          changed.description,
          changed.ratePerSecond,
          secretsText(changed.secrets),
          id,
        )
        if (changed.targetUrl !== hook.targetUrl) moveLane(db, id, changed.targetUrl)
        return changed
      }),

    addWatch: async (accountId, watch, limits) =>
      db.transaction(() =>
        within(db, accountId, limits, () => {
          const hook = find(db, accountId, watch.hookId)
          if (hook === null) return false
          if (limits !== undefined) checkRoom('watches', hook.watches.length, limits.watchesMax)
          addWatch(db, { ...watch, accountId })
          return true
        }),
      ),

    updateWatch: async (accountId, watch, limits) =>
      db.transaction(() =>
        within(db, accountId, limits, () => {
          const before = db.get<WatchRow>(
            `select ${WATCH_COLUMNS} from watches where id = ? and hook_id = ? and account_id = ?`,
            watch.id,
            watch.hookId,
            accountId,
          )
          if (before === undefined) return false
          db.run('delete from watches where id = ?', watch.id)
          insertWatch(db, { ...watch, accountId })
          for (const app of appsOf([watchOf(before), watch])) settleFeeds(db, app)
          expediteFeeds(db, { ...watch, accountId }, watch.createdAt)
          return true
        }),
      ),

    removeWatch: async (accountId, hookId, watchId) =>
      db.transaction(() => {
        const removed = db.get<WatchRow>(
          `delete from watches where id = ? and hook_id = ? and account_id = ? returning ${WATCH_COLUMNS}`,
          watchId,
          hookId,
          accountId,
        )
        if (removed === undefined) return false
        settleFeeds(db, watchOf(removed))
        return true
      }),

    trackStorefronts: async (accountId, app, storefronts, now, limits) =>
      db.transaction(() =>
        within(db, accountId, limits, () => trackStorefronts(db, accountId, app, storefronts, now)),
      ),

    watchedApps: async (accountId) => db.snapshot(() => watchedApps(db, accountId)),
  }
}

function create(db: Connection, hook: Hook, watches: readonly Watch[]): void {
  db.run(`insert into hooks (${HOOK_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...hookValues(hook))
  createLane(db, hook)
  if (hook.status !== 'active') pauseLane(db, hook.id)
  for (const watch of watches) insertWatch(db, { ...watch, hookId: hook.id, accountId: hook.accountId })
  for (const app of appsOf(watches)) settleFeeds(db, app)
  for (const watch of watches) expediteFeeds(db, { ...watch, accountId: hook.accountId }, hook.createdAt)
}

function addToInbox(db: Connection, hook: Hook, watches: readonly Watch[], watchesMax = Infinity): string {
  const { accountId } = hook
  const row = db.get<{ id: string }>(
    'select id from hooks where account_id = ? and target_url = ? and deleted_at is null',
    accountId,
    INBOX_TARGET,
  )
  const inbox = row === undefined ? null : find(db, accountId, row.id)
  if (inbox === null) {
    create(db, hook, watches)
    return hook.id
  }
  const added = watchesBeside(inbox.watches, watches)
  if (added.length > 0) checkRoom('watches', inbox.watches.length + added.length - 1, watchesMax)
  for (const watch of added) addWatch(db, { ...watch, hookId: inbox.id, accountId })
  return inbox.id
}

function addWatch(db: Connection, watch: Watch): void {
  insertWatch(db, watch)
  settleFeeds(db, watch)
  expediteFeeds(db, watch, watch.createdAt)
}

function find(db: Connection, accountId: string, id: string): HookWithWatches | null {
  const row = db.get<HookRow>(
    `select ${HOOK_COLUMNS} from hooks where id = ? and account_id = ? and deleted_at is null`,
    id,
    accountId,
  )
  return row === undefined ? null : { ...hookOf(row), watches: watchesOf(db, id) }
}

function watchesOf(db: Connection, hookId: string): Watch[] {
  return db
    .all<WatchRow>(`select ${WATCH_COLUMNS} from watches where hook_id = ? order by created_at, id`, hookId)
    .map(watchOf)
}

function insertWatch(db: Connection, watch: Watch): void {
  db.run(
    `insert into watches (${WATCH_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    watch.id,
    watch.hookId,
    watch.accountId,
    watch.store,
    watch.appId,
    watch.eventType,
    watch.storefront,
    watch.minStars,
    watch.maxStars,
    watch.deltaMicros,
    watch.thresholdMicros,
    jsonOrNull(watch.rules),
    msOf(watch.createdAt),
  )
}
