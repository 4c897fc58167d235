import {
  type Hook,
  type HookWithWatches,
  uniqueApps,
  type Watch,
  type WatchSet,
} from '../../../model/hook.ts'
import { INBOX_TARGET } from '../../../model/inbox.ts'
import type { HookStatus } from '../../../model/vocabulary.ts'
import {
  HOOK_COLUMNS,
  type HookRow,
  hasNewSchedule,
  hasNewTarget,
  hookValues,
  ruleCount,
  UPDATED_COLUMNS,
  unsubscribedText,
  updatedHook,
  updatedValues,
  WATCH_COLUMNS,
  type WatchRow,
  watchChanges,
  watchesBeside,
  watchOf,
  withoutRecipient,
  withWatches,
  withWatchesOf,
} from '../../hooks/hook-rows.ts'
import { WATCH_SET_COLUMNS, type WatchSetRow } from '../../hooks/watch-set-rows.ts'
import type { HookStorage, WatchReplacement } from '../../port/hooks.ts'
import { checkGrowth, checkRoom } from '../../tables/people/account-limits.ts'
import { msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { updatePollSet } from '../feeds/coverage.ts'
import { trackStorefronts, watchedApps } from '../feeds/watched-apps.ts'
import { withIdempotencyKey, withinLimits } from '../people/account-limits.ts'
import { createLane, endLane, openLane, pauseLane, updateLaneTarget } from '../queue/lanes.ts'
import {
  insertWatchSet,
  removeWatchSet,
  replaceSetByWatch,
  replaceWatchBySet,
  updateWatchSet,
} from './watch-sets.ts'
import { applyWatchChange, insertWatches, watchesOf } from './watches.ts'

export function hookStorage(db: Connection): HookStorage {
  return {
    create: async (hook, watches, { limits, idempotencyKey: key, watchSets = [] } = {}) =>
      db.transaction(() =>
        withIdempotencyKey(db, hook.accountId, hook.createdAt, key, () =>
          withinLimits(db, hook.accountId, limits, () => create(db, hook, watches, watchSets)),
        ),
      ),

    addToInbox: async (hook, watches, limits) =>
      db.transaction(() =>
        withinLimits(db, hook.accountId, limits, () => addToInbox(db, hook, watches, limits?.watchesMax)),
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
          db.all<WatchSetRow>(
            `select ${WATCH_SET_COLUMNS} from watch_sets where account_id = ? order by created_at, id`,
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
          db.all<WatchSetRow>(`select ${WATCH_SET_COLUMNS} from watch_sets order by created_at, id`),
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
        const changed = uniqueApps(watchesOf(db, id))
        db.run('delete from watches where hook_id = ?', id)
        db.run('delete from watch_sets where hook_id = ?', id)
        endLane(db, id, 'deleted', now)
        applyWatchChange(db, accountId, { changed }, now)
        return true
      }),

    setStatus: async (accountId, id, status, now) =>
      db.transaction(() => setStatus(db, accountId, id, status, now)?.hook ?? null),

    setStatuses: async (accountId, ids, status, now) =>
      db.transaction(() => {
        const changes = new Map<string, { before: HookStatus; after: HookStatus }>()
        for (const id of new Set(ids)) {
          const change = setStatus(db, accountId, id, status, now)
          if (change !== null) changes.set(id, { before: change.before, after: change.hook.status })
        }
        return changes
      }),

    update: async (accountId, id, change, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => {
          const hook = find(db, accountId, id)
          if (hook === null) return null
          const changed = updatedHook(hook, change)
          db.run(
            `update hooks set (${UPDATED_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) where id = ?`,
            ...updatedValues(changed),
            id,
          )
          if (hasNewTarget(hook, changed) || hasNewSchedule(hook, changed))
            updateLaneTarget(db, id, changed.targetUrl)
          if (change.watches === undefined) return changed
          replaceWatches(db, hook, change.watches)
          const updated = { ...changed, watches: watchesOf(db, id) }
          checkGrowth('watches', ruleCount(hook), ruleCount(updated), limits?.watchesMax ?? Infinity)
          return updated
        }),
      ),

    unsubscribe: async (accountId, id, unsubscription) =>
      db.transaction(() => {
        const before = find(db, accountId, id)
        if (before === null) return null
        const changed = withoutRecipient(before, unsubscription)
        writeUnsubscribed(db, changed.hook)
        if (!changed.pauses) return changed
        setStatus(db, accountId, id, 'paused', unsubscription.at)
        return { ...changed, hook: { ...changed.hook, status: 'paused' as const } }
      }),

    resubscribe: async (accountId, id, recipient) =>
      db.transaction(() => {
        const before = find(db, accountId, id)
        if (before === null) return null
        const unsubscribed = before.unsubscribed.filter((each) => each.recipient !== recipient)
        writeUnsubscribed(db, { id, unsubscribed })
        return { ...before, unsubscribed }
      }),

    addWatch: async (accountId, watch, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => {
          const hook = find(db, accountId, watch.hookId)
          if (hook === null) return false
          if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
          const added = [{ ...watch, accountId }]
          insertWatches(db, added)
          applyWatchChange(db, accountId, { changed: added, added }, watch.createdAt)
          return true
        }),
      ),

    updateWatch: async (accountId, watch, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => {
          const before = db.get<WatchRow>(
            `delete from watches where id = ? and hook_id = ? and account_id = ? and set_id is null returning ${WATCH_COLUMNS}`,
            watch.id,
            watch.hookId,
            accountId,
          )
          if (before === undefined) return false
          const added = [{ ...watch, accountId }]
          insertWatches(db, added)
          applyWatchChange(db, accountId, { changed: [watchOf(before), watch], added }, watch.createdAt)
          return true
        }),
      ),

    removeWatch: async (accountId, hookId, watchId, now) =>
      db.transaction(() => {
        const removed = db.get<WatchRow>(
          `delete from watches where id = ? and hook_id = ? and account_id = ? and set_id is null returning ${WATCH_COLUMNS}`,
          watchId,
          hookId,
          accountId,
        )
        if (removed === undefined) return false
        applyWatchChange(db, accountId, { changed: [watchOf(removed)] }, now)
        return true
      }),

    addWatchSet: async (accountId, set, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => {
          const hook = find(db, accountId, set.hookId)
          if (hook === null) return false
          if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
          const added = insertWatchSet(db, { ...set, accountId })
          applyWatchChange(db, accountId, { changed: added, added }, set.createdAt)
          return true
        }),
      ),

    updateWatchSet: async (accountId, set, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => updateWatchSet(db, { ...set, accountId })),
      ),

    removeWatchSet: async (accountId, hookId, setId, now) =>
      db.transaction(() => removeWatchSet(db, { id: setId, hookId, accountId }, now)),

    replaceWatchBySet: async (accountId, watchId, set, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => replaceWatchBySet(db, watchId, { ...set, accountId })),
      ),

    replaceSetByWatch: async (accountId, setId, watch, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => replaceSetByWatch(db, setId, { ...watch, accountId })),
      ),

    trackStorefronts: async (accountId, app, storefronts, now, limits) =>
      db.transaction(() =>
        withinLimits(db, accountId, limits, () => {
          trackStorefronts(db, accountId, app, storefronts, now)
          applyWatchChange(db, accountId, { changed: [app] }, now)
        }),
      ),

    watchedApps: async (accountId) => db.snapshot(() => watchedApps(db, accountId)),
  }
}

function setStatus(
  db: Connection,
  accountId: string,
  id: string,
  status: 'active' | 'paused',
  now: Date,
): { readonly before: HookStatus; readonly hook: HookWithWatches } | null {
  const hook = find(db, accountId, id)
  if (hook === null) return null
  const before = hook.status
  // Pausing a gone hook would start its polls again.
  if (before === status || (before === 'gone' && status === 'paused')) return { before, hook }
  db.run('update hooks set status = ? where id = ?', status, id)
  if (status === 'active') openLane(db, id, now)
  else pauseLane(db, id)
  if (before === 'gone') for (const app of uniqueApps(hook.watches)) updatePollSet(db, app)
  return { before, hook: { ...hook, status } }
}

function writeUnsubscribed(db: Connection, { id, unsubscribed }: Pick<Hook, 'id' | 'unsubscribed'>): void {
  db.run('update hooks set unsubscribed = ? where id = ?', unsubscribedText(unsubscribed), id)
}

function create(
  db: Connection,
  hook: Hook,
  watches: readonly Watch[],
  watchSets: readonly WatchSet[] = [],
): void {
  const { id: hookId, accountId, createdAt } = hook
  db.run(
    `insert into hooks (${HOOK_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...hookValues(hook),
  )
  createLane(db, hook)
  if (hook.status !== 'active') pauseLane(db, hook.id)
  const own = watches.map((watch) => ({ ...watch, hookId, accountId }))
  insertWatches(db, own)
  const ofSets = watchSets.flatMap((set) => insertWatchSet(db, { ...set, hookId, accountId }))
  const added = [...own, ...ofSets]
  applyWatchChange(db, accountId, { changed: added, added }, createdAt)
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
  const added = watchesBeside(inbox.watches, watches).map((watch) => ({
    ...watch,
    hookId: inbox.id,
    accountId,
  }))
  if (added.length > 0) checkRoom('watches', ruleCount(inbox) + added.length - 1, watchesMax)
  insertWatches(db, added)
  applyWatchChange(db, accountId, { changed: added, added }, hook.createdAt)
  return inbox.id
}

function replaceWatches(db: Connection, hook: HookWithWatches, { at, from }: WatchReplacement): void {
  const { removed, added } = watchChanges(hook, from)
  for (const { id } of removed) db.run('delete from watches where id = ?', id)
  insertWatches(db, added)
  applyWatchChange(db, hook.accountId, { changed: removed, added }, at)
}

function find(db: Connection, accountId: string, id: string): HookWithWatches | null {
  const row = db.get<HookRow>(
    `select ${HOOK_COLUMNS} from hooks where id = ? and account_id = ? and deleted_at is null`,
    id,
    accountId,
  )
  if (row === undefined) return null
  const sets = db.all<WatchSetRow>(
    `select ${WATCH_SET_COLUMNS} from watch_sets where hook_id = ? order by created_at, id`,
    id,
  )
  return withWatchesOf(row, watchesOf(db, id), sets)
}
