import type { HookWithWatches, WatchSet } from '../../model/hook.ts'
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

export type ChangedSet = { readonly hook: HookWithWatches; readonly set: WatchSet }

/**
 * Watches and watch sets of one account's hooks. Each change returns the changed hook. Throws `not_found` for a hook or a watch that the account does not
 * have, `conflict` for a hook that a program manages and at a limit, and `invalid` for the rules.
 */
export function watchOperations(deps: WatchDeps) {
  const { hooks, clock, limits } = deps
  const requireChangeable = (accountId: string, hookId: string, by: Changer) =>
    (by === 'person' ? requireEditable : requireHook)(hooks, accountId, hookId)
  const changedSet = async ({ accountId, hookId, id }: WatchSet): Promise<ChangedSet> => {
    const hook = await requireHook(hooks, accountId, hookId)
    const set = hook.watchSets.find((each) => each.id === id)
    if (set === undefined) throw noSuchSet()
    return { hook, set }
  }
  return {
    /** A hook has at most `WATCHES_MAX` watches and watch sets. */
    async add(accountId: string, hookId: string, input: WatchInput): Promise<HookWithWatches> {
      await requireEditable(hooks, accountId, hookId)
      const watch = newWatch(input, { accountId, hookId }, clock.now())
      if (!(await hooks.addWatch(accountId, watch, { ...limits.counts, watchesMax: WATCHES_MAX })))
        throw noSuchHook()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
    },

    /** Like a new watch, the changed one matches occurrences from now on. */
    async change(
      accountId: string,
      hookId: string,
      watchId: string,
      input: WatchInput,
    ): Promise<HookWithWatches> {
      await requireEditable(hooks, accountId, hookId)
      const watch = newWatch(input, { accountId, hookId }, clock.now(), watchId)
      if (!(await hooks.updateWatch(accountId, watch, limits.counts))) throw noSuchWatch()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
    },

    async remove(accountId: string, hookId: string, watchId: string): Promise<HookWithWatches> {
      await requireEditable(hooks, accountId, hookId)
      if (!(await hooks.removeWatch(accountId, hookId, watchId, clock.now()))) throw noSuchWatch()
      return requireHook(hooks, accountId, hookId)
    },

    /** Adds a set: one watch for each of its apps, or for all apps of the account, also later ones. */
    async addSet(accountId: string, hookId: string, input: WatchSetInput, by: Changer): Promise<ChangedSet> {
      await requireChangeable(accountId, hookId, by)
      const set = newWatchSet(input, { accountId, hookId }, clock.now())
      const counts = { ...limits.counts, watchesMax: WATCHES_MAX }
      if (!(await hooks.addWatchSet(accountId, set, counts))) throw noSuchHook()
      deps.wake()
      return changedSet(set)
    },

    /** A new app and a changed filter match occurrences from now on. Apps that were in the set, with an unchanged filter, are not affected. */
    async changeSet(
      accountId: string,
      hookId: string,
      setId: string,
      input: WatchSetInput,
      by: Changer,
    ): Promise<ChangedSet> {
      await requireChangeable(accountId, hookId, by)
      const set = newWatchSet(input, { accountId, hookId }, clock.now(), setId)
      if (!(await hooks.updateWatchSet(accountId, set, limits.counts))) throw noSuchSet()
      deps.wake()
      return changedSet(set)
    },

    async removeSet(accountId: string, hookId: string, setId: string, by: Changer): Promise<HookWithWatches> {
      await requireChangeable(accountId, hookId, by)
      if (!(await hooks.removeWatchSet(accountId, hookId, setId, clock.now()))) throw noSuchSet()
      return requireHook(hooks, accountId, hookId)
    },

    /** A watch becomes a set, in one commit. The app stays covered without a gap if the filter is the same. */
    async changeToSet(
      accountId: string,
      hookId: string,
      watchId: string,
      input: WatchSetInput,
    ): Promise<HookWithWatches> {
      await requireEditable(hooks, accountId, hookId)
      const set = newWatchSet(input, { accountId, hookId }, clock.now())
      if (!(await hooks.replaceWatchBySet(accountId, watchId, set, limits.counts))) throw noSuchWatch()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
    },

    /** A set becomes a watch, in one commit. The app stays covered without a gap if the filter is the same. */
    async changeToWatch(
      accountId: string,
      hookId: string,
      setId: string,
      input: WatchInput,
    ): Promise<HookWithWatches> {
      await requireEditable(hooks, accountId, hookId)
      const watch = newWatch(input, { accountId, hookId }, clock.now())
      if (!(await hooks.replaceSetByWatch(accountId, setId, watch, limits.counts))) throw noSuchSet()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
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
