import type { HookWithWatches, Watch } from '../../model/hook.ts'
import { RATE_PER_SECOND, WATCHES_MAX } from '../../model/hook-limits.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'
import type { AccountGuard } from '../limits.ts'
import { isEditable, noSuchHook, requireHook } from '../require-hook.ts'
import { newWatch, type WatchInput } from '../watches/new-watch.ts'
import { hookTexts } from './hook-texts.ts'
import { changedSchedule, type ScheduleInput } from './message-schedule.ts'
import { rateAfterMove } from './rate-preset.ts'
import { changedTarget, type TargetDeps, type TargetInput } from './target.ts'

export type ReconfigureDeps = TargetDeps & {
  readonly hooks: Pick<HookStorage, 'get' | 'update'>
  readonly limits: Pick<AccountGuard, 'counts'>
  /** Ends the wait of the loops: an app may be due now. */
  readonly wake: () => void
}

/** Omitted fields do not change. */
export type Reconfiguration = TargetInput & {
  /** Null: each event at once. */
  readonly messageSchedule?: ScheduleInput | null | undefined
  readonly ratePerSecond?: number | null | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly cloudEvents?: boolean | undefined
  readonly redirect?: HookWithWatches['redirect'] | undefined
  readonly watches?: readonly WatchInput[] | undefined
}

/** Changes a hook that a program manages. Watches of the console have rules that a program does not see, so its hooks are refused. */
export async function reconfigureHook(
  deps: ReconfigureDeps,
  accountId: string,
  id: string,
  { ratePerSecond, cloudEvents, redirect, messageSchedule, watches: inputs, ...rest }: Reconfiguration,
): Promise<HookWithWatches> {
  const { hooks, limits, clock, wake } = deps
  const hook = await requireHook(hooks, accountId, id)
  if (isEditable(hook))
    throw new OperationError(
      'conflict',
      'This hook was created in the console and can only be changed there.',
    )
  requireInRange('ratePerSecond', ratePerSecond, RATE_PER_SECOND)
  const now = clock.now()
  const watches = inputs?.map((input) => newWatch(input, { accountId, hookId: id }, now))
  const target = changedTarget(deps, hook, rest)
  const isOtherType = target !== undefined && target.targetType !== hook.targetType
  const change = {
    target,
    ratePerSecond: ratePerSecond === undefined && isOtherType ? rateAfterMove(hook, target) : ratePerSecond,
    cloudEvents,
    redirect,
    messageSchedule: changedSchedule({ ...hook, ...target }, messageSchedule, now),
    ...hookTexts(rest),
    watches: watches && { at: now, from: (stored: readonly Watch[]) => merged(stored, watches) },
  }
  const changed = await hooks.update(accountId, id, change, { ...limits.counts, watchesMax: WATCHES_MAX })
  if (changed === null) throw noSuchHook()
  wake()
  return changed
}

/** The wanted watches, each once. A stored one with the same rule stays, so that it misses nothing between the two. */
function merged(stored: readonly Watch[], wanted: readonly Watch[]): Watch[] {
  const known = new Map(stored.map((watch) => [ruleOf(watch), watch]))
  const kept = wanted.map((watch) => known.get(ruleOf(watch)) ?? watch)
  return [...new Map(kept.map((watch) => [ruleOf(watch), watch])).values()]
}

function ruleOf({ store, appId, eventType, storefronts, minStars, maxStars, ...watch }: Watch): string {
  const { deltaMicros, deltaWindowHours, thresholdMicros, rules, spike } = watch
  const limits = [minStars, maxStars, deltaMicros, deltaWindowHours, thresholdMicros]
  return JSON.stringify([store, appId, eventType, storefronts, ...limits, rules, spike])
}
