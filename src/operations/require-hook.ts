import type { HookWithWatches } from '../model/hook.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import { OperationError } from './error.ts'

/** The source of hooks created in the console. */
export const CONSOLE_SOURCE = 'console'

/** Who changes a hook: a person in the console, or a program. */
export type Changer = 'person' | 'program'

type Hooks = Pick<HookStorage, 'get'>

/** Throws `not_found` when the account has no such hook. */
export async function requireHook(hooks: Hooks, accountId: string, id: string): Promise<HookWithWatches> {
  const hook = await hooks.get(accountId, id)
  if (hook === null) throw noSuchHook()
  return hook
}

/** Whether people may change what the hook sends and where. A program decides that for the hooks that it created. */
export function isEditable(hook: { readonly source: string }): boolean {
  return hook.source === CONSOLE_SOURCE
}

/** Whether the caller may change the watches of the hook: a person those of the console, a program those of programs. */
export function mayChangeRules(hook: { readonly source: string }, by: Changer): boolean {
  return isEditable(hook) === (by === 'person')
}

/** Like `requireHook`, but also throws `conflict` for a hook that a program manages. */
export async function requireEditable(hooks: Hooks, accountId: string, id: string): Promise<HookWithWatches> {
  const hook = await requireHook(hooks, accountId, id)
  if (isEditable(hook)) return hook
  throw managedByProgram(hook)
}

/**
 * Like `requireHook`, but also throws `conflict` for a hook that the other one manages: a program that of the console, a person that of a
 * program.
 */
export async function requireManaged(
  hooks: Hooks,
  accountId: string,
  id: string,
  by: Changer,
): Promise<HookWithWatches> {
  const hook = await requireHook(hooks, accountId, id)
  if (mayChangeRules(hook, by)) return hook
  throw by === 'program' ? managedInConsole() : managedByProgram(hook)
}

export function managedInConsole(): OperationError {
  return new OperationError('conflict', 'This hook was created in the console and can only be changed there.')
}

export function managedByProgram({ source }: { readonly source: string }): OperationError {
  return new OperationError(
    'conflict',
    `The URL, the secret and the subscriptions of this destination are managed by "${source}" through the API.`,
  )
}

/** Also for a hook of another account, so that callers cannot find out which ids exist. */
export function noSuchHook(): OperationError {
  return new OperationError('not_found', 'The account has no hook with this id.')
}
