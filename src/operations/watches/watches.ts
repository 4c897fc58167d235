import type { AppKey, Watch, WatchSet } from '../../model/hook.ts'
import { WATCHES_MAX } from '../../model/hook-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'
import { type Changer, noSuchHook, requireEditable, requireHook } from '../require-hook.ts'
import { newWatch, type WatchInput } from './new-watch.ts'
import { newWatchSet, type WatchSetInput } from './new-watch-set.ts'
import { type Preview, type PreviewDeps, previewWatch, previewWatchSet, type SetPreview } from './preview.ts'

export type WatchDeps = PreviewDeps & {
  readonly hooks: Pick<
    HookStorage,
    | 'get'
    | 'addWatch'
    | 'updateWatch'
    | 'removeWatch'
    | 'addWatchSet'
    | 'updateWatchSet'
    | 'removeWatchSet'
    | 'replaceWatchBySet'
    | 'replaceSetByWatch'
  >
  readonly limits: Pick<AccountGuard, 'counts'>
  readonly clock: Clock
  /** Ends the wait of the loops: work may be due now. */
  readonly wake: () => void
}

/**
 * Watches and watch sets of one account's hooks. Each change returns what it changed. Throws `not_found` for a hook or a watch that the
 * account does not have, `conflict` for a hook that a program manages and at a limit, and `invalid` for the rules.
 */
export function watchOperations(deps: WatchDeps) {
  const { hooks, clock, limits } = deps
  const requireChangeable = (accountId: string, hookId: string, by: Changer) =>
    (by === 'person' ? requireEditable : requireHook)(hooks, accountId, hookId)
  const stored = async ({ accountId, hookId, id }: Watch): Promise<Watch> => {
    const { watches } = await requireHook(hooks, accountId, hookId)
    return watches.find((each) => each.id === id) ?? refuse(noSuchWatch())
  }
  const storedSet = async ({ accountId, hookId, id }: WatchSet): Promise<WatchSet> => {
    const { watchSets } = await requireHook(hooks, accountId, hookId)
    return watchSets.find((each) => each.id === id) ?? refuse(noSuchSet())
  }
  return {
    /** A hook has at most `WATCHES_MAX` watches and watch sets. */
    async add(accountId: string, hookId: string, input: WatchInput, by: Changer): Promise<Watch> {
      await requireChangeable(accountId, hookId, by)
      const watch = newWatch(input, { accountId, hookId }, clock.now())
      if (!(await hooks.addWatch(accountId, watch, { ...limits.counts, watchesMax: WATCHES_MAX })))
        throw noSuchHook()
      deps.wake()
      return stored(watch)
    },

    /** Like a new watch, the changed one matches occurrences from now on. */
    async change(
      accountId: string,
      hookId: string,
      watchId: string,
      input: WatchInput,
      by: Changer,
    ): Promise<Watch> {
      await requireChangeable(accountId, hookId, by)
      const watch = newWatch(input, { accountId, hookId }, clock.now(), watchId)
      if (!(await hooks.updateWatch(accountId, watch, limits.counts))) throw noSuchWatch()
      deps.wake()
      return stored(watch)
    },

    async remove(accountId: string, hookId: string, watchId: string, by: Changer): Promise<void> {
      await requireChangeable(accountId, hookId, by)
      if (!(await hooks.removeWatch(accountId, hookId, watchId, clock.now()))) throw noSuchWatch()
    },

    /** Adds a set: one watch for each of its apps, or for all apps of the account, also later ones. */
    async addSet(accountId: string, hookId: string, input: WatchSetInput, by: Changer): Promise<WatchSet> {
      await requireChangeable(accountId, hookId, by)
      const set = newWatchSet(input, { accountId, hookId }, clock.now())
      const counts = { ...limits.counts, watchesMax: WATCHES_MAX }
      if (!(await hooks.addWatchSet(accountId, set, counts))) throw noSuchHook()
      deps.wake()
      return storedSet(set)
    },

    /**
     * A new app and a changed filter match occurrences from now on. Apps that were in the set, with an unchanged filter, are not affected.
     */
    async changeSet(
      accountId: string,
      hookId: string,
      setId: string,
      input: WatchSetInput,
      by: Changer,
    ): Promise<WatchSet> {
      await requireChangeable(accountId, hookId, by)
      const set = newWatchSet(input, { accountId, hookId }, clock.now(), setId)
      if (!(await hooks.updateWatchSet(accountId, set, limits.counts))) throw noSuchSet()
      deps.wake()
      return storedSet(set)
    },

    async removeSet(accountId: string, hookId: string, setId: string, by: Changer): Promise<void> {
      await requireChangeable(accountId, hookId, by)
      if (!(await hooks.removeWatchSet(accountId, hookId, setId, clock.now()))) throw noSuchSet()
    },

    /** A watch becomes a set, in one commit. The app stays covered without a gap if the filter is the same. */
    async changeToSet(
      accountId: string,
      hookId: string,
      watchId: string,
      input: WatchSetInput,
      by: Changer,
    ): Promise<WatchSet> {
      await requireChangeable(accountId, hookId, by)
      const set = newWatchSet(input, { accountId, hookId }, clock.now())
      if (!(await hooks.replaceWatchBySet(accountId, watchId, set, limits.counts))) throw noSuchWatch()
      deps.wake()
      return storedSet(set)
    },

    /** A set becomes a watch, in one commit. The app stays covered without a gap if the filter is the same. */
    async changeToWatch(
      accountId: string,
      hookId: string,
      setId: string,
      input: WatchInput,
      by: Changer,
    ): Promise<Watch> {
      const before = await requireChangeable(accountId, hookId, by)
      const watch = newWatch(input, { accountId, hookId }, clock.now())
      if (!(await hooks.replaceSetByWatch(accountId, setId, watch, limits.counts))) throw noSuchSet()
      deps.wake()
      // With the same filter, the watch that the set has of the app is kept.
      const { id } = before.watches.find((each) => each.setId === setId && isSameApp(each, watch)) ?? watch
      const { watches } = await requireHook(hooks, accountId, hookId)
      return watches.find((each) => each.id === id && each.setId === null) ?? stored(watch)
    },

    previewSet: (accountId: string, input: WatchSetInput): Promise<SetPreview> =>
      previewWatchSet(deps, accountId, input),
    /** Counts recent occurrences that the watch would have matched. Stores nothing. */
    preview: (accountId: string, input: WatchInput): Promise<Preview> => previewWatch(deps, accountId, input),
  }
}

function noSuchSet(): OperationError {
  return new OperationError('not_found', 'The hook has no watch set with this id.')
}

function noSuchWatch(): OperationError {
  return new OperationError('not_found', 'The hook has no watch with this id.')
}

function isSameApp(a: AppKey, b: AppKey): boolean {
  return a.store === b.store && a.appId === b.appId
}

function refuse(error: OperationError): never {
  throw error
}
