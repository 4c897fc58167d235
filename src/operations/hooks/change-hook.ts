import type { Hook, HookWithWatches, Watch } from '../../model/hook.ts'
import { LATE_REVIEWS_HOURS, RATE_PER_SECOND, WATCHES_MAX } from '../../model/hook-limits.ts'
import { givenOptions, type HookOptionsInput } from '../../model/hook-options.ts'
import { isInbox } from '../../model/inbox.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'
import type { AccountGuard } from '../limits.ts'
import { askNewRecipients, type ConsentDeps } from '../mail-consent.ts'
import {
  type Changer,
  isEditable,
  managedByProgram,
  managedInConsole,
  noSuchHook,
  requireHook,
} from '../require-hook.ts'
import { newWatch, type WatchInput } from '../watches/new-watch.ts'
import { hookTexts } from './hook-texts.ts'
import { newRecipients } from './mail-recipients.ts'
import { changedSchedule, type ScheduleInput } from './message-schedule.ts'
import { rateAfterMove } from './rate-preset.ts'
import { changedTarget, type TargetDeps, type TargetInput, withStoredSecrets } from './target.ts'

export type HookChangeDeps = TargetDeps &
  ConsentDeps & {
    readonly hooks: Pick<HookStorage, 'get' | 'update'>
    readonly limits: Pick<AccountGuard, 'counts' | 'confirmations'>
    /** Ends the wait of the loops: an app may be due now. */
    readonly wake: () => void
  }

/** Omitted fields do not change. */
export type HookChange = TargetInput &
  HookOptionsInput & {
    /** Null: each event at once. */
    readonly messageSchedule?: ScheduleInput | null | undefined
    /** Null removes the limit. */
    readonly ratePerSecond?: number | null | undefined
    readonly name?: string | null | undefined
    readonly description?: string | null | undefined
    readonly watches?: readonly WatchInput[] | undefined
  }

export async function changeHook(
  deps: HookChangeDeps,
  accountId: string,
  id: string,
  { ratePerSecond, messageSchedule, watches: inputs, ...rest }: HookChange,
  by: Changer,
): Promise<HookWithWatches> {
  const { hooks, limits, clock, wake } = deps
  const hook = await requireHook(hooks, accountId, id)
  const { targetType, targetUrl, targetSettings } = rest
  const options = givenOptions(rest)
  const isOfOwner = [targetType, targetUrl, targetSettings, inputs, ...Object.values(options)].some(
    (value) => value != null,
  )
  requireChangeable(hook, by, isOfOwner)
  requireInRange('ratePerSecond', ratePerSecond, RATE_PER_SECOND)
  requireInRange('lateReviewsHours', options.lateReviewsHours, LATE_REVIEWS_HOURS)
  if (isInbox(hook) && (targetType != null || targetUrl != null)) {
    throw new OperationError('invalid', 'cannot be set: the inbox of the console has no URL.', {
      field: 'targetUrl',
    })
  }
  const now = clock.now()
  const watches = inputs?.map((input) => newWatch(input, { accountId, hookId: id }, now))
  const isSameType = targetType == null || targetType === hook.targetType
  // A form shows no secrets, so it leaves out those that stay.
  const settings =
    by === 'person' && targetSettings != null && isSameType
      ? withStoredSecrets(hook, targetSettings, deps.sealer)
      : targetSettings
  const target = changedTarget(deps, hook, { ...rest, targetSettings: settings })
  const recipients = target && newRecipients(deps, hook, { ...hook, ...target })
  const hasNewRate = ratePerSecond === undefined && (by === 'person' || !isSameType)
  const change = {
    target,
    recipients: recipients?.change,
    ratePerSecond: hasNewRate ? rateAfterMove(hook, target) : ratePerSecond,
    ...options,
    messageSchedule: changedSchedule({ ...hook, ...target }, messageSchedule, now),
    ...hookTexts(rest),
    watches: watches && { at: now, from: (stored: readonly Watch[]) => merged(stored, watches) },
  }
  limits.confirmations(accountId, recipients?.addresses ?? [])
  const changed = await hooks.update(accountId, id, change, { ...limits.counts, watchesMax: WATCHES_MAX })
  if (changed === null) throw noSuchHook()
  askNewRecipients(deps, accountId, id, recipients?.addresses ?? [])
  wake()
  return changed
}

/** `isOfOwner`: whether the change is about what only its creator, the console or a program, decides. */
function requireChangeable(hook: Hook, by: Changer, isOfOwner: boolean): void {
  if (by === 'person' && isOfOwner && !isEditable(hook)) throw managedByProgram(hook)
  if (by === 'program' && isEditable(hook)) throw managedInConsole()
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
