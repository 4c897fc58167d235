import type { HookWithWatches } from '../../model/hook.ts'
import { WATCHES_MAX } from '../../model/hook-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import { noSuchHook, requireEditable, requireHook } from '../hooks/require-hook.ts'
import type { AccountGuard } from '../limits.ts'
import { newWatch, type WatchInput } from './new-watch.ts'
import { type Preview, type PreviewDeps, previewWatch } from './preview.ts'

export type WatchDeps = PreviewDeps & {
  readonly hooks: Pick<HookStorage, 'get' | 'addWatch' | 'updateWatch' | 'removeWatch'>
  readonly limits: Pick<AccountGuard, 'counts'>
  readonly clock: Clock
  /** Ends the wait of the loops: work may be due now. */
  readonly wake: () => void
}

/**
 * Watches of one account's hooks. Each change returns the changed hook. Throws `not_found` for a hook or a watch that the account does not
 * have, `conflict` for a hook that a program manages and at a limit, and `invalid` for the rules.
 */
export type WatchOperations = {
  /** A hook has at most `WATCHES_MAX`. */
  readonly add: (accountId: string, hookId: string, input: WatchInput) => Promise<HookWithWatches>
  /** Like a new watch, the changed one matches occurrences from now on. */
  readonly change: (
    accountId: string,
    hookId: string,
    watchId: string,
    input: WatchInput,
  ) => Promise<HookWithWatches>
  readonly remove: (accountId: string, hookId: string, watchId: string) => Promise<HookWithWatches>
  /** Counts recent occurrences that the watch would have matched. Stores nothing. */
  readonly preview: (accountId: string, input: WatchInput) => Promise<Preview>
}

export function watchOperations(deps: WatchDeps): WatchOperations {
  const { hooks, clock, limits } = deps
  return {
    async add(accountId, hookId, input) {
      await requireEditable(hooks, accountId, hookId)
      const watch = newWatch(input, { accountId, hookId }, clock.now())
      if (!(await hooks.addWatch(accountId, watch, { ...limits.counts, watchesMax: WATCHES_MAX })))
        throw noSuchHook()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
    },

    async change(accountId, hookId, watchId, input) {
      await requireEditable(hooks, accountId, hookId)
      const watch = newWatch(input, { accountId, hookId }, clock.now(), watchId)
      if (!(await hooks.updateWatch(accountId, watch, limits.counts))) throw noSuchWatch()
      deps.wake()
      return requireHook(hooks, accountId, hookId)
    },

    async remove(accountId, hookId, watchId) {
      await requireEditable(hooks, accountId, hookId)
      if (!(await hooks.removeWatch(accountId, hookId, watchId, clock.now()))) throw noSuchWatch()
      return requireHook(hooks, accountId, hookId)
    },

    preview: (accountId, input) => previewWatch(deps, accountId, input),
  }
}

function noSuchWatch(): OperationError {
  return new OperationError('not_found', 'The hook has no watch with this id.')
}
