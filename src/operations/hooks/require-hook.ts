import type { HookWithWatches } from '../../model/hook.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'

/** The source of hooks made in the console. */
export const CONSOLE_SOURCE = 'console'

type Hooks = Pick<HookStorage, 'get'>

/** Throws `not_found` when the account has no such hook. */
export async function requireHook(hooks: Hooks, accountId: string, id: string): Promise<HookWithWatches> {
  const hook = await hooks.get(accountId, id)
  if (hook === null) throw noSuchHook()
  return hook
}

/** Whether people may change the hook: those made by a program are managed by it, and people can only remove them. */
export function isEditable(hook: { readonly source: string }): boolean {
  return hook.source === CONSOLE_SOURCE
}

/** As `requireHook`; throws `conflict` for a hook that a program manages. */
export async function requireEditable(hooks: Hooks, accountId: string, id: string): Promise<HookWithWatches> {
  const hook = await requireHook(hooks, accountId, id)
  if (isEditable(hook)) return hook
  throw new OperationError(
    'conflict',
    `This destination is managed by "${hook.source}" through the API; here it can only be disconnected.`,
  )
}

/** The same for a hook of another account, so that callers cannot learn which ids exist. */
export function noSuchHook(): OperationError {
  return new OperationError('not_found', 'The account has no hook with this id.')
}
