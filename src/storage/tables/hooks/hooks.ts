import {
  type Hook,
  type HookWithWatches,
  uniqueApps,
  type Watch,
  type WatchSet,
} from '../../../model/hook.ts'
import {
  hasNewSchedule,
  hasNewTarget,
  ruleCount,
  updatedHook,
  type WatchReplacement,
  watchChanges,
  watchesBeside,
  withoutRecipient,
  withRecipient,
} from '../../../model/hook-change.ts'
import { INBOX_TARGET } from '../../../model/inbox.ts'
import type { HookStatus } from '../../../model/vocabulary.ts'
import type { AccountLimits, HookStorage } from '../../port/hooks.ts'
import { msOf } from '../../values.ts'
import { type Db, get, lock, run, type Value, type Work } from '../../work.ts'
import { updatePollSet } from '../feeds/coverage.ts'
import {
  checkGrowth,
  checkRoom,
  lockAccounts,
  withIdempotencyKey,
  withinLimits,
} from '../people/account-limits.ts'
import { createLane, endLane, openLane, pauseLane, updateLaneTarget } from '../queue/lanes.ts'
import { HOOK, UPDATED_HOOK, unsubscribed } from './hook-columns.ts'
import { trackStorefronts, watchedApps, watchedStorefronts } from './tracked-storefronts.ts'
import { type StoredSet, WATCH_SET, watchSetOf } from './watch-columns.ts'
import {
  deleteWatches,
  insertWatchSet,
  OWN_WATCH,
  removeFromRules,
  removeWatchSet,
  replaceSetByWatch,
  replaceWatchBySet,
  updateWatchSet,
} from './watch-sets.ts'
import { applyWatchChange, insertWatches, watchesWhere } from './watches.ts'

export function hookStorage(db: Db): HookStorage {
  /** A change within the limits of its account. */
  const limited = <T>(accountId: string, limits: AccountLimits | undefined, change: () => Work<T>) =>
    db.transaction(() => withinLimits(accountId, limits, change))

  return {
    create: (hook, watches, { limits, idempotencyKey: key, watchSets = [], allow } = {}) =>
      db.transaction(() =>
        withIdempotencyKey(hook.accountId, hook.createdAt, key, () => {
          allow?.()
          return withinLimits(hook.accountId, limits, () => create(hook, watches, watchSets))
        }),
      ),

    addToInbox: (hook, watches, limits) =>
      limited(hook.accountId, limits, () => addToInbox(hook, watches, limits?.watchesMax)),

    get: (accountId, id) => db.snapshot(() => find(accountId, id)),

    list: (accountId) =>
      db.snapshot(function* () {
        const hooks = yield* HOOK.all(
          `from hooks where account_id = ?1 and deleted_at is null ${OLDEST}`,
          accountId,
        )
        const watches = yield* watchesWhere('account_id = ?1', accountId)
        return withWatches(hooks, watches, yield* setsWhere('account_id = ?1', accountId))
      }),

    listAll: () =>
      db.snapshot(function* () {
        const hooks = yield* HOOK.all(`from hooks where deleted_at is null ${OLDEST}`)
        return withWatches(hooks, yield* watchesWhere('true'), yield* setsWhere('true'))
      }),

    remove: (accountId, id, now) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const removed = yield* run(
          'update hooks set deleted_at = ?1 where id = ?2 and account_id = ?3 and deleted_at is null',
          msOf(now),
          id,
          accountId,
        )
        if (removed === 0) return false
        const changed = uniqueApps(yield* watchesWhere('hook_id = ?1', id))
        yield* run('delete from watches where hook_id = ?1', id)
        yield* run('delete from watch_sets where hook_id = ?1', id)
        yield* endLane(id, 'deleted', now)
        yield* applyWatchChange(accountId, { changed }, now)
        return true
      }),

    setStatus: (accountId, id, status, now) =>
      db.transaction(function* () {
        const change = yield* setStatus(accountId, id, status, now)
        if (change?.before === 'gone') yield* updatePollSet(uniqueApps(change.hook.watches))
        return change?.hook ?? null
      }),

    setStatuses: (accountId, ids, status, now) =>
      db.transaction(function* () {
        const changes = new Map<string, { before: HookStatus; after: HookStatus }>()
        const returned: HookWithWatches[] = []
        // Always in the same order, to avoid deadlocks.
        for (const id of [...new Set(ids)].sort()) {
          const change = yield* setStatus(accountId, id, status, now)
          if (change === null) continue
          changes.set(id, { before: change.before, after: change.hook.status })
          if (change.before === 'gone') returned.push(change.hook)
        }
        yield* updatePollSet(uniqueApps(returned.flatMap(({ watches }) => watches)))
        return changes
      }),

    update: (accountId, id, change, limits) =>
      limited(accountId, limits, function* () {
        const hook = yield* findLocked(accountId, id)
        if (hook === null) return null
        const changed = updatedHook(hook, change)
        yield* UPDATED_HOOK.update('hooks', changed, 'id = ?1', id)
        if (hasNewTarget(hook, changed) || hasNewSchedule(hook, changed))
          yield* updateLaneTarget(id, changed.targetUrl)
        if (change.recipients !== undefined) yield* writeUnsubscribed(changed)
        if (changed.status !== hook.status && change.recipients !== undefined)
          yield* setStatus(accountId, id, 'paused', change.recipients.at)
        if (change.watches === undefined) return changed
        yield* replaceWatches(hook, change.watches)
        const updated = { ...changed, watches: yield* watchesWhere('hook_id = ?1', id) }
        checkGrowth('watches', ruleCount(hook), ruleCount(updated), limits?.watchesMax ?? Infinity)
        return updated
      }),

    unsubscribe: (accountId, id, unsubscription) =>
      db.transaction(function* () {
        const before = yield* findLocked(accountId, id)
        if (before === null) return null
        const changed = withoutRecipient(before, unsubscription)
        yield* writeUnsubscribed(changed.hook)
        if (!changed.pauses) return changed
        yield* setStatus(accountId, id, 'paused', unsubscription.at)
        return { ...changed, hook: { ...changed.hook, status: 'paused' as const } }
      }),

    resubscribe: (accountId, id, subscription) =>
      db.transaction(function* () {
        const before = yield* findLocked(accountId, id)
        if (before === null) return null
        const changed = withRecipient(before, subscription)
        yield* writeUnsubscribed(changed.hook)
        if (!changed.resumes) return changed
        yield* setStatus(accountId, id, 'active', subscription.at)
        return { ...changed, hook: { ...changed.hook, status: 'active' as const } }
      }),

    addWatch: (accountId, watch, limits) =>
      limited(accountId, limits, function* () {
        const hook = yield* findLocked(accountId, watch.hookId)
        if (hook === null) return false
        if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
        const added = [{ ...watch, accountId }]
        yield* insertWatches(added)
        yield* applyWatchChange(accountId, { changed: added, added }, watch.createdAt)
        return true
      }),

    updateWatch: (accountId, watch, limits) =>
      limited(accountId, limits, function* () {
        const { id, hookId, createdAt } = watch
        const [before] = yield* watchesWhere(OWN_WATCH, id, hookId, accountId)
        if (before === undefined) return false
        yield* deleteWatches([before])
        const added = [{ ...watch, accountId }]
        yield* insertWatches(added)
        yield* applyWatchChange(accountId, { changed: [before, watch], added }, createdAt)
        return true
      }),

    removeWatch: (accountId, hookId, watchId, now) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const [removed] = yield* watchesWhere(OWN_WATCH, watchId, hookId, accountId)
        if (removed === undefined) return false
        yield* deleteWatches([removed])
        yield* applyWatchChange(accountId, { changed: [removed] }, now)
        return true
      }),

    addWatchSet: (accountId, set, limits) =>
      limited(accountId, limits, function* () {
        const hook = yield* findLocked(accountId, set.hookId)
        if (hook === null) return false
        if (limits !== undefined) checkRoom('watches', ruleCount(hook), limits.watchesMax)
        const added = yield* insertWatchSet({ ...set, accountId })
        yield* applyWatchChange(accountId, { changed: added, added }, set.createdAt)
        return true
      }),

    updateWatchSet: (accountId, set, limits) =>
      limited(accountId, limits, () => updateWatchSet({ ...set, accountId })),

    removeWatchSet: (accountId, hookId, setId, now) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        return yield* removeWatchSet({ id: setId, hookId, accountId }, now)
      }),

    replaceWatchBySet: (accountId, watchId, set, limits) =>
      limited(accountId, limits, () => replaceWatchBySet(watchId, { ...set, accountId })),

    replaceSetByWatch: (accountId, setId, watch, limits) =>
      limited(accountId, limits, () => replaceSetByWatch(setId, { ...watch, accountId })),

    trackStorefronts: (accountId, app, storefronts, now, limits) =>
      limited(accountId, limits, function* () {
        yield* trackStorefronts(accountId, app, storefronts, now)
        yield* applyWatchChange(accountId, { changed: [app] }, now)
      }),

    untrack: (accountId, app, removesFrom, now) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        yield* trackStorefronts(accountId, app, [], now)
        yield* removeFromRules(accountId, app, removesFrom)
        yield* applyWatchChange(accountId, { changed: [app] }, now)
      }),

    watchedApps: (accountId) => db.alone(watchedApps(accountId)),

    watchedStorefronts: (app) => db.alone(watchedStorefronts(app)),
  }
}

/** The caller updates the poll set when the hook was gone. */
function* setStatus(
  accountId: string,
  id: string,
  status: 'active' | 'paused',
  now: Date,
): Work<{ readonly before: HookStatus; readonly hook: HookWithWatches } | null> {
  const hook = yield* findLocked(accountId, id)
  if (hook === null) return null
  const before = hook.status
  // Pausing a gone hook would start its polls again.
  if (before === status || (before === 'gone' && status === 'paused')) return { before, hook }
  yield* run('update hooks set status = ?1 where id = ?2', status, id)
  if (status === 'active') yield* openLane(id, now)
  else yield* pauseLane(id)
  return { before, hook: { ...hook, status } }
}

function writeUnsubscribed(hook: Pick<Hook, 'id' | 'unsubscribed'>): Work<number> {
  const update = 'update hooks set unsubscribed = ?1 where id = ?2'
  return run(update, unsubscribed.store(hook.unsubscribed), hook.id)
}

function* create(hook: Hook, watches: readonly Watch[], watchSets: readonly WatchSet[] = []): Work<void> {
  const { id: hookId, accountId, createdAt } = hook
  yield* HOOK.insert('hooks', hook)
  yield* createLane(hook)
  if (hook.status !== 'active') yield* pauseLane(hook.id)
  const added = watches.map((watch) => ({ ...watch, hookId, accountId }))
  yield* insertWatches(added)
  for (const set of watchSets) added.push(...(yield* insertWatchSet({ ...set, hookId, accountId })))
  yield* applyWatchChange(accountId, { changed: added, added }, createdAt)
}

/** The lock of the account makes concurrent calls create only one inbox. */
function* addToInbox(hook: Hook, watches: readonly Watch[], watchesMax = Infinity): Work<string> {
  const { accountId } = hook
  const row = yield* get<{ id: string }>(
    'select id from hooks where account_id = ?1 and target_url = ?2 and deleted_at is null',
    accountId,
    INBOX_TARGET,
  )
  const inbox = row === undefined ? null : yield* findLocked(accountId, row.id)
  if (inbox === null) {
    yield* create(hook, watches)
    return hook.id
  }
  const added = watchesBeside(inbox.watches, watches).map((watch) => ({
    ...watch,
    hookId: inbox.id,
    accountId,
  }))
  if (added.length > 0) checkRoom('watches', ruleCount(inbox) + added.length - 1, watchesMax)
  yield* insertWatches(added)
  yield* applyWatchChange(accountId, { changed: added, added }, hook.createdAt)
  return inbox.id
}

function* replaceWatches(hook: HookWithWatches, { at, from }: WatchReplacement): Work<void> {
  const { removed, added } = watchChanges(hook, from)
  yield* deleteWatches(removed)
  yield* insertWatches(added)
  yield* applyWatchChange(hook.accountId, { changed: removed, added }, at)
}

function* find(accountId: string, id: string): Work<HookWithWatches | null> {
  const hook = yield* HOOK.find(
    'from hooks where id = ?1 and account_id = ?2 and deleted_at is null',
    id,
    accountId,
  )
  if (hook === null) return null
  const watches = yield* watchesWhere('hook_id = ?1', id)
  const [found] = withWatches([hook], watches, yield* setsWhere('hook_id = ?1', id))
  return found ?? null
}

/**
 * Locks the hook's row between the read and the write, but not its key. A transaction with a lock on the lane may check
 * that the hook exists, and must not wait for one that waits for the lane.
 */
function* findLocked(accountId: string, id: string): Work<HookWithWatches | null> {
  yield* lock('select 1 from hooks where id = ?1 and account_id = ?2 for no key update', id, accountId)
  return yield* find(accountId, id)
}

const OLDEST = 'order by created_at, id'

function setsWhere(condition: string, ...values: readonly Value[]) {
  return WATCH_SET.all(`from watch_sets where ${condition} ${OLDEST}`, ...values)
}

/** Hooks in the given order, each with its own `watches` and `sets`. */
function withWatches(
  hooks: readonly Hook[],
  watches: readonly Watch[],
  sets: readonly StoredSet[],
): HookWithWatches[] {
  const watchesByHook = Map.groupBy(watches, ({ hookId }) => hookId)
  const setsByHook = Map.groupBy(sets, ({ hookId }) => hookId)
  return hooks.map((hook) => {
    const own = watchesByHook.get(hook.id) ?? []
    const bySet = Map.groupBy(own, ({ setId }) => setId)
    const watchSets = (setsByHook.get(hook.id) ?? []).map((set) =>
      watchSetOf(set, uniqueApps(bySet.get(set.id) ?? [])),
    )
    return { ...hook, watches: own, watchSets }
  })
}
