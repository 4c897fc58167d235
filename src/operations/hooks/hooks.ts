import type { HookWithWatches } from '../../model/hook.ts'
import { RATE_PER_SECOND } from '../../model/hook-limits.ts'
import type { EventType } from '../../model/vocabulary.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { requireInRange } from '../in-range.ts'
import { type HookListDeps, type HookListOperations, hookListOperations } from './list-hooks.ts'
import {
  type CreatedHook,
  createHook,
  type HookInput,
  type Idempotency,
  type NewHookDeps,
} from './new-hook.ts'
import { ratePresetOf } from './rate-preset.ts'
import { noSuchHook, requireEditable, requireHook } from './require-hook.ts'
import { revokeOldSecrets, rotateSecret, type SecretDeps } from './secrets.ts'
import { requireTarget, targetUrlProblem } from './target.ts'
import { sendTestEvent, type TestEventDeps, type TestSent } from './test-event.ts'

export type HookDeps = HookListDeps &
  NewHookDeps &
  SecretDeps &
  TestEventDeps & {
    readonly hooks: Pick<HookStorage, 'remove' | 'setStatus'>
  }

/**
 * Hooks of one account. An id that the account has no hook for throws `not_found`. Changing a hook that a program
 * manages throws `conflict`; everybody of the account may read, test and remove it.
 */
export type HookOperations = {
  /**
   * Makes a hook that gets events from now on. Throws `invalid` for its target or a watch, `conflict` at the account's
   * limit of hooks or tracked storefronts, `key_reused` for an idempotency key that was used with another request.
   */
  readonly create: (accountId: string, input: HookInput, idempotency?: Idempotency) => Promise<CreatedHook>
  readonly list: HookListOperations['list']
  readonly get: (accountId: string, id: string) => Promise<HookWithWatches>
  /** What is wrong with a target's URL, to follow the name of its field; null when a hook may have it. */
  readonly targetUrlProblem: (targetUrl: string) => string | null
  /** Fields that are absent stay. A rate of null removes the limit. */
  readonly change: (accountId: string, id: string, change: HookChange) => Promise<HookWithWatches>
  /** Holds the hook's pending deliveries. */
  readonly pause: (accountId: string, id: string) => Promise<HookWithWatches>
  /** Releases held deliveries in order; also of a hook that its target turned off. */
  readonly resume: (accountId: string, id: string) => Promise<HookWithWatches>
  /** Ends the hook, its watches and its pending deliveries. */
  readonly remove: (accountId: string, id: string) => Promise<void>
  /** A new secret; the replaced one keeps signing for `overlapHours`. */
  readonly rotateSecret: (accountId: string, id: string, overlapHours: number) => Promise<string>
  /** Only the current secret signs from now on. */
  readonly revokeOldSecrets: (accountId: string, id: string) => Promise<void>
  /**
   * Sends one synthetic event now, once. `eventType` null: that of the first watch. Throws `rate_limited` when the account
   * has used up its test events of this minute.
   */
  readonly sendTest: (accountId: string, id: string, eventType: EventType | null) => Promise<TestSent>
}

export type HookChange = { readonly targetUrl?: string; readonly ratePerSecond?: number | null }

export function hookOperations(deps: HookDeps): HookOperations {
  const { hooks, clock } = deps

  const setStatus = async (accountId: string, id: string, status: 'active' | 'paused') => {
    await requireEditable(hooks, accountId, id)
    const hook = await hooks.setStatus(accountId, id, status, clock.now())
    if (hook === null) throw noSuchHook()
    if (status === 'active') deps.wake()
    return hook
  }

  return {
    create: (accountId, input, idempotency) => createHook(deps, accountId, input, idempotency ?? null),
    ...hookListOperations(deps),
    targetUrlProblem: (targetUrl) => targetUrlProblem(targetUrl, deps.guard),
    get: (accountId, id) => requireHook(hooks, accountId, id),

    async change(accountId, id, { targetUrl, ratePerSecond }) {
      const hook = await requireEditable(hooks, accountId, id)
      requireInRange('ratePerSecond', ratePerSecond, RATE_PER_SECOND)
      if (targetUrl !== undefined) requireTarget(targetUrl, deps.guard)
      const rate = ratePerSecond === undefined ? presetOnMove(hook, targetUrl) : ratePerSecond
      const changed = await hooks.update(accountId, id, {
        ...(targetUrl !== undefined && { targetUrl }),
        ...(rate !== undefined && { ratePerSecond: rate }),
      })
      if (changed === null) throw noSuchHook()
      return changed
    },

    pause: (accountId, id) => setStatus(accountId, id, 'paused'),
    resume: (accountId, id) => setStatus(accountId, id, 'active'),

    async remove(accountId, id) {
      if (!(await hooks.remove(accountId, id, clock.now()))) throw noSuchHook()
    },

    rotateSecret: (accountId, id, overlapHours) => rotateSecret(deps, accountId, id, overlapHours),
    revokeOldSecrets: (accountId, id) => revokeOldSecrets(deps, accountId, id),
    sendTest: (accountId, id, eventType) => sendTestEvent(deps, accountId, id, eventType),
  }
}

/** The rate of a hook without one that moves to a target with a known limit; undefined leaves it as it is. */
function presetOnMove(hook: HookWithWatches, targetUrl: string | undefined): number | undefined {
  if (targetUrl === undefined || hook.ratePerSecond !== null) return undefined
  if (ratePresetOf(hook.targetUrl) !== null) return undefined
  return ratePresetOf(targetUrl) ?? undefined
}
