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
import type { Database, Queries, Transaction } from '../connect.ts'
import { updatePollSet } from '../feeds/coverage.ts'
import { trackStorefronts, watchedApps } from '../feeds/watched-apps.ts'
import { lockAccounts, withIdempotencyKey, withinLimits } from '../people/account-limits.ts'
import { createLane, endLane, openLane, pauseLane, updateLaneTarget } from '../queue/lanes.ts'
import {
  insertWatchSet,
  removeWatchSet,
  replaceSetByWatch,
  replaceWatchBySet,
  updateWatchSet,
} from './watch-sets.ts'
import { applyWatchChange, insertWatches, watchesOf } from './watches.ts'

export function hookStorage(db: Database): HookStorage {
  return {
    create: async (hook, watches, { limits, idempotencyKey: key, watchSets = [] } = {}) =>
      db.transaction((tx) =>
        withIdempotencyKey(tx, hook.accountId, hook.createdAt, key, () =>
          withinLimits(tx, hook.accountId, limits, () => create(tx, hook, watches, watchSets)),
        ),
      ),

    addToInbox: async (hook, watches, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, hook.accountId, limits, () => addToInbox(tx, hook, watches, limits?.watchesMax)),
      ),

    get: async (accountId, id) => db.snapshot((tx) => find(tx, accountId, id)),

    list: async (accountId) =>
      db.snapshot(async (tx) =>
        withWatches(
          await tx.all<HookRow>(
            `select ${HOOK_COLUMNS} from hooks where account_id = $1 and deleted_at is null order by created_at, id`,
            accountId,
          ),
          await tx.all<WatchRow>(
            `select ${WATCH_COLUMNS} from watches where account_id = $1 order by created_at, id`,
            accountId,
          ),
          await tx.all<WatchSetRow>(
            `select ${WATCH_SET_COLUMNS} from watch_sets where account_id = $1 order by created_at, id`,
            accountId,
          ),
        ),
      ),

    listAll: async () =>
      db.snapshot(async (tx) =>
        withWatches(
          await tx.all<HookRow>(
            `select ${HOOK_COLUMNS} from hooks where deleted_at is null order by created_at, id`,
          ),
          await tx.all<WatchRow>(`select ${WATCH_COLUMNS} from watches order by created_at, id`),
          await tx.all<WatchSetRow>(`select ${WATCH_SET_COLUMNS} from watch_sets order by created_at, id`),
        ),
      ),

    remove: async (accountId, id, now) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [accountId])
        const removed = await tx.run(
          'update hooks set deleted_at = $1 where id = $2 and account_id = $3 and deleted_at is null',
          msOf(now),
          id,
          accountId,
        )
        if (removed === 0) return false
        const changed = uniqueApps(await watchesOf(tx, id))
        await tx.run('delete from watches where hook_id = $1', id)
        await tx.run('delete from watch_sets where hook_id = $1', id)
        await endLane(tx, id, 'deleted', now)
        await applyWatchChange(tx, accountId, { changed }, now)
        return true
      }),

    setStatus: async (accountId, id, status, now) =>
      db.transaction(async (tx) => {
        const change = await setStatus(tx, accountId, id, status, now)
        if (change === null) return null
        if (change.before === 'gone') await updatePollSet(tx, uniqueApps(change.hook.watches))
        return change.hook
      }),

    setStatuses: async (accountId, ids, status, now) =>
      db.transaction(async (tx) => {
        const changes = new Map<string, { before: HookStatus; after: HookStatus }>()
        const returned: HookWithWatches[] = []
        // Always in the same order, to avoid deadlocks.
        for (const id of [...new Set(ids)].sort()) {
          const change = await setStatus(tx, accountId, id, status, now)
          if (change === null) continue
          changes.set(id, { before: change.before, after: change.hook.status })
          if (change.before === 'gone') returned.push(change.hook)
        }
        await updatePollSet(tx, uniqueApps(returned.flatMap(({ watches }) => watches)))
        return changes
      }),

    update: async (accountId, id, change, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, async () => {
          const hook = await findLocked(tx, accountId, id)
          if (hook === null) return null
          const changed = updatedHook(hook, change)
          await tx.run(
            `update hooks set (${UPDATED_COLUMNS}) = ($1, $2, $3, $4, $5, $6, $7, $8, $9) where id = $10`,
            ...updatedValues(changed),
            id,
          )
          if (hasNewTarget(hook, changed) || hasNewSchedule(hook, changed))
            await updateLaneTarget(tx, id, changed.targetUrl)
          if (change.watches === undefined) return changed
          await replaceWatches(tx, hook, change.watches)
          const updated = { ...changed, watches: await watchesOf(tx, id) }
          checkGrowth('watches', ruleCount(hook), ruleCount(updated), limits?.watchesMax ?? Infinity)
          return updated
        }),
      ),

    unsubscribe: async (accountId, id, unsubscription) =>
      db.transaction(async (tx) => {
        const before = await findLocked(tx, accountId, id)
        if (before === null) return null
        const changed = withoutRecipient(before, unsubscription)
        await writeUnsubscribed(tx, changed.hook)
        if (!changed.pauses) return changed
        await setStatus(tx, accountId, id, 'paused', unsubscription.at)
        return { ...changed, hook: { ...changed.hook, status: 'paused' as const } }
      }),

    resubscribe: async (accountId, id, recipient) =>
      db.transaction(async (tx) => {
        const before = await findLocked(tx, accountId, id)
        if (before === null) return null
        const unsubscribed = before.unsubscribed.filter((each) => each.recipient !== recipient)
        await writeUnsubscribed(tx, { id, unsubscribed })
        return { ...before, unsubscribed }
      }),

    addWatch: async (accountId, watch, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, async () => {
          const hook = await findLocked(tx, accountId, watch.hookId)
          if (hook === null) return false
          if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
          const added = [{ ...watch, accountId }]
          await insertWatches(tx, added)
          await applyWatchChange(tx, accountId, { changed: added, added }, watch.createdAt)
          return true
        }),
      ),

    updateWatch: async (accountId, watch, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, async () => {
          const before = await tx.get<WatchRow>(
            `delete from watches where id = $1 and hook_id = $2 and account_id = $3 and set_id is null returning ${WATCH_COLUMNS}`,
            watch.id,
            watch.hookId,
            accountId,
          )
          if (before === undefined) return false
          const added = [{ ...watch, accountId }]
          await insertWatches(tx, added)
          const changed = [watchOf(before), watch]
          await applyWatchChange(tx, accountId, { changed, added }, watch.createdAt)
          return true
        }),
      ),

    removeWatch: async (accountId, hookId, watchId, now) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [accountId])
        const removed = await tx.get<WatchRow>(
          `delete from watches where id = $1 and hook_id = $2 and account_id = $3 and set_id is null returning ${WATCH_COLUMNS}`,
          watchId,
          hookId,
          accountId,
        )
        if (removed === undefined) return false
        await applyWatchChange(tx, accountId, { changed: [watchOf(removed)] }, now)
        return true
      }),

    addWatchSet: async (accountId, set, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, async () => {
          const hook = await findLocked(tx, accountId, set.hookId)
          if (hook === null) return false
          if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
          const added = await insertWatchSet(tx, { ...set, accountId })
          await applyWatchChange(tx, accountId, { changed: added, added }, set.createdAt)
          return true
        }),
      ),

    updateWatchSet: async (accountId, set, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, () => updateWatchSet(tx, { ...set, accountId })),
      ),

    removeWatchSet: async (accountId, hookId, setId, now) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [accountId])
        return removeWatchSet(tx, { id: setId, hookId, accountId }, now)
      }),

    replaceWatchBySet: async (accountId, watchId, set, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, () => replaceWatchBySet(tx, watchId, { ...set, accountId })),
      ),

    replaceSetByWatch: async (accountId, setId, watch, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, () => replaceSetByWatch(tx, setId, { ...watch, accountId })),
      ),

    trackStorefronts: async (accountId, app, storefronts, now, limits) =>
      db.transaction((tx) =>
        withinLimits(tx, accountId, limits, async () => {
          await trackStorefronts(tx, accountId, app, storefronts, now)
          await applyWatchChange(tx, accountId, { changed: [app] }, now)
        }),
      ),

    watchedApps: async (accountId) => watchedApps(db, accountId),
  }
}

async function replaceWatches(
  tx: Transaction,
  hook: HookWithWatches,
  { at, from }: WatchReplacement,
): Promise<void> {
  const { removed, added } = watchChanges(hook, from)
  const ids = removed.map(({ id }) => id)
  if (ids.length > 0) await tx.run('delete from watches where id = any($1::text[])', ids)
  await insertWatches(tx, added)
  await applyWatchChange(tx, hook.accountId, { changed: removed, added }, at)
}

/** The caller updates the poll set when the hook was gone. */
async function setStatus(
  tx: Transaction,
  accountId: string,
  id: string,
  status: 'active' | 'paused',
  now: Date,
): Promise<{ readonly before: HookStatus; readonly hook: HookWithWatches } | null> {
  const hook = await findLocked(tx, accountId, id)
  if (hook === null) return null
  const before = hook.status
  // Pausing a gone hook would start its polls again.
  if (before === status || (before === 'gone' && status === 'paused')) return { before, hook }
  await tx.run('update hooks set status = $1 where id = $2', status, id)
  if (status === 'active') await openLane(tx, id, now)
  else await pauseLane(tx, id)
  return { before, hook: { ...hook, status } }
}

async function writeUnsubscribed(
  tx: Transaction,
  { id, unsubscribed }: Pick<Hook, 'id' | 'unsubscribed'>,
): Promise<void> {
  await tx.run('update hooks set unsubscribed = $1 where id = $2', unsubscribedText(unsubscribed), id)
}

async function create(
  tx: Transaction,
  hook: Hook,
  watches: readonly Watch[],
  watchSets: readonly WatchSet[] = [],
): Promise<void> {
  const { id: hookId, accountId, createdAt } = hook
  await tx.run(
    `insert into hooks (${HOOK_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    ...hookValues(hook),
  )
  await createLane(tx, hook)
  if (hook.status !== 'active') await pauseLane(tx, hook.id)
  const added = watches.map((watch) => ({ ...watch, hookId, accountId }))
  await insertWatches(tx, added)
  for (const set of watchSets) added.push(...(await insertWatchSet(tx, { ...set, hookId, accountId })))
  await applyWatchChange(tx, accountId, { changed: added, added }, createdAt)
}

/** Differs from sqlite: locks the account's row, so that two concurrent calls create only one inbox. */
async function addToInbox(
  tx: Transaction,
  hook: Hook,
  watches: readonly Watch[],
  watchesMax = Infinity,
): Promise<string> {
  const { accountId } = hook
  await lockAccounts(tx, [accountId])
  const row = await tx.get<{ id: string }>(
    'select id from hooks where account_id = $1 and target_url = $2 and deleted_at is null',
    accountId,
    INBOX_TARGET,
  )
  const inbox = row === undefined ? null : await findLocked(tx, accountId, row.id)
  if (inbox === null) {
    await create(tx, hook, watches)
    return hook.id
  }
  const added = watchesBeside(inbox.watches, watches).map((watch) => ({
    ...watch,
    hookId: inbox.id,
    accountId,
  }))
  if (added.length > 0) checkRoom('watches', ruleCount(inbox) + added.length - 1, watchesMax)
  await insertWatches(tx, added)
  await applyWatchChange(tx, accountId, { changed: added, added }, hook.createdAt)
  return inbox.id
}

async function find(tx: Queries, accountId: string, id: string): Promise<HookWithWatches | null> {
  const row = await tx.get<HookRow>(
    `select ${HOOK_COLUMNS} from hooks where id = $1 and account_id = $2 and deleted_at is null`,
    id,
    accountId,
  )
  if (row === undefined) return null
  const sets = await tx.all<WatchSetRow>(
    `select ${WATCH_SET_COLUMNS} from watch_sets where hook_id = $1 order by created_at, id`,
    id,
  )
  return withWatchesOf(row, await watchesOf(tx, id), sets)
}

/**
 * Differs from sqlite: locks the hook's row between the read and the write, but not its key. A transaction with a lock
 * on the lane may check that the hook exists, and must not wait for one that waits for the lane.
 */
async function findLocked(tx: Transaction, accountId: string, id: string): Promise<HookWithWatches | null> {
  await tx.run('select 1 from hooks where id = $1 and account_id = $2 for no key update', id, accountId)
  return find(tx, accountId, id)
}
