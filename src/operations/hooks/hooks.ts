import type { MessagePreview } from '../../contract/console/destinations.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { RATE_PER_SECOND } from '../../model/hook-limits.ts'
import { isInbox } from '../../model/inbox.ts'
import { HOOK_IDS_MAX } from '../../model/input-limits.ts'
import type { PausedReason } from '../../model/mail-recipient.ts'
import type { FormattedTargetType } from '../../model/target.ts'
import { unsubscribeLinkOf } from '../../model/unsubscribe-token.ts'
import type { EventType } from '../../model/vocabulary.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppId } from '../apps/apps.ts'
import { type BulkResult, bulkIds } from '../bulk.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'
import { noSuchHook, requireEditable, requireHook } from '../require-hook.ts'
import { hookTexts } from './hook-texts.ts'
import { type InboxDeps, openInbox } from './inbox.ts'
import { type HookListDeps, type HookListOperations, hookListOperations } from './list-hooks.ts'
import {
  hasNobodyLeft,
  type MailRecipient,
  type MailRecipientDeps,
  mailRecipients,
  type NewUnsubscription,
  NOBODY_LEFT,
  pausedReasonOf,
  requireSomebody,
  resubscribe,
  unsubscribe,
} from './mail-recipients.ts'
import { changedSchedule, type ScheduleInput } from './message-schedule.ts'
import {
  type CreatedHook,
  createHook,
  type HookInput,
  type Idempotency,
  type NewHookDeps,
} from './new-hook.ts'
import { previewMessage } from './preview-message.ts'
import { rateAfterMove } from './rate-preset.ts'
import { type Reconfiguration, type ReconfigureDeps, reconfigureHook } from './reconfigure.ts'
import { revokeOldSecrets, rotateSecret, type SecretDeps } from './secrets.ts'
import {
  changedTarget,
  type ShownSettings,
  shownSettings,
  type TargetInput,
  type TargetSettings,
  targetUrlProblem,
  withStoredSecrets,
} from './target.ts'
import { sendTestEvent, type TestEventDeps, type TestSent } from './test-event.ts'

export type HookDeps = HookListDeps &
  InboxDeps &
  MailRecipientDeps &
  NewHookDeps &
  ReconfigureDeps &
  SecretDeps &
  TestEventDeps & {
    readonly hooks: Pick<HookStorage, 'remove' | 'setStatus' | 'setStatuses'>
  }

/**
 * Hooks of one account. Throws `not_found` for an id without a hook in the account. A program manages the target, secret and
 * watches of the hooks that it created: changing them throws `conflict`. Members may read, name, limit, pause, test and
 * remove them, since the program does not depend on that.
 */
export type HookOperations = {
  /**
   * Creates a hook that gets events from now on. Throws `invalid` for its target or a watch, `conflict` at the account's limit of hooks or
   * tracked storefronts, and `key_reused` for an idempotency key that was used with another request.
   */
  readonly create: (accountId: string, input: HookInput, idempotency?: Idempotency) => Promise<CreatedHook>
  /**
   * Subscribes the inbox of the account to the new reviews and rating drops of an app, null for every app that the account
   * watches. An account without an inbox gets one. Throws `invalid` for the app, `conflict` at a limit.
   */
  readonly openInbox: (accountId: string, app: AppId | null) => Promise<HookWithWatches>
  readonly list: HookListOperations['list']
  readonly get: (accountId: string, id: string) => Promise<HookWithWatches>
  /** The problem with a target URL, worded to follow the field's name; null when a hook may have the URL. */
  readonly targetUrlProblem: (targetUrl: string) => string | null
  /** The settings of a hook with messages, without secrets; null for a webhook. */
  readonly shownSettings: (hook: Hook) => ShownSettings | null
  /** The recipients of a mail destination; none for another type. */
  readonly recipients: (hook: Hook) => MailRecipient[]
  /** Why the service itself paused the hook; null otherwise. */
  readonly pausedReason: (hook: Hook) => PausedReason | null
  /** Whether the service made this link to unsubscribe. Says nothing about its recipient. */
  readonly isUnsubscribeToken: (token: string) => boolean
  /**
   * Ends the mails to the recipient of a link, and pauses the hook after the last one. Throws `not_found` for a link that the service did not
   * make. Null when nothing changed; callers must not tell people which.
   */
  readonly unsubscribe: (token: string) => Promise<NewUnsubscription | null>
  /** A recipient gets mails again. Throws `not_found`. */
  readonly resubscribe: (accountId: string, id: string, recipient: string) => Promise<HookWithWatches>
  /** Omitted fields do not change, and omitted secrets of settings stay as they are. A rate of null removes the limit. */
  readonly change: (accountId: string, id: string, change: HookChange) => Promise<HookWithWatches>
  /**
   * Changes a hook for the program that created it. `watches` replaces all but those of watch sets; one with the same rule stays as it is. Throws
   * `conflict` for a hook of the console and at a limit, `invalid` for a value.
   */
  readonly reconfigure: (accountId: string, id: string, change: Reconfiguration) => Promise<HookWithWatches>
  /** Holds the hook's pending deliveries. */
  readonly pause: (accountId: string, id: string) => Promise<HookWithWatches>
  /**
   * Releases held deliveries in order. Also resumes a hook that its target turned off. Throws `conflict` for a mail destination whose
   * recipients all unsubscribed.
   */
  readonly resume: (accountId: string, id: string) => Promise<HookWithWatches>
  /** Pauses or resumes several hooks in one commit. Throws `invalid` for more than `HOOK_IDS_MAX`. */
  readonly setStatuses: (
    accountId: string,
    ids: readonly string[],
    status: 'active' | 'paused',
  ) => Promise<BulkResult>
  /** Ends the hook, its watches and its pending deliveries. */
  readonly remove: (accountId: string, id: string) => Promise<void>
  /** Returns the new secret. The replaced one keeps signing for `overlapHours`. */
  readonly rotateSecret: (accountId: string, id: string, overlapHours: number) => Promise<string>
  /** Only the current secret signs from now on. */
  readonly revokeOldSecrets: (accountId: string, id: string) => Promise<void>
  /** The message of a sample event, as text. Throws `invalid` for a setting. Without settings, only what all messages show. */
  readonly previewMessage: (
    type: FormattedTargetType,
    settings: TargetSettings | null,
    eventType: EventType,
  ) => MessagePreview
  /**
   * Sends one synthetic event now, without retries. If `eventType` is null, it is that of the first watch. Throws `rate_limited` when the
   * account has used up its test events of this minute.
   */
  readonly sendTest: (accountId: string, id: string, eventType: EventType | null) => Promise<TestSent>
}

export type HookChange = TargetInput & {
  /** Null: each event at once. */
  readonly messageSchedule?: ScheduleInput | null | undefined
  readonly ratePerSecond?: number | null | undefined
  readonly cloudEvents?: boolean | undefined
  readonly redirect?: HookWithWatches['redirect'] | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
}

export function hookOperations(deps: HookDeps): HookOperations {
  const { hooks, clock } = deps

  const setStatus = async (accountId: string, id: string, status: 'active' | 'paused') => {
    if (status === 'active') requireSomebody(await requireHook(hooks, accountId, id), deps.sealer)
    const hook = await hooks.setStatus(accountId, id, status, clock.now())
    if (hook === null) throw noSuchHook()
    if (status === 'active') deps.wake()
    return hook
  }

  return {
    create: (accountId, input, idempotency) => createHook(deps, accountId, input, idempotency ?? null),
    openInbox: (accountId, app) => openInbox(deps, accountId, app),
    ...hookListOperations(deps),
    targetUrlProblem: (targetUrl) => targetUrlProblem(targetUrl, deps.guard),
    get: (accountId, id) => requireHook(hooks, accountId, id),
    shownSettings: (hook) => shownSettings(hook, deps.sealer),
    recipients: (hook) => mailRecipients(hook, deps.sealer),
    pausedReason: (hook) => pausedReasonOf(hook, deps.sealer),
    isUnsubscribeToken: (token) => unsubscribeLinkOf(deps.sealer.open, token) !== null,
    unsubscribe: (token) => unsubscribe(deps, token),
    resubscribe: (accountId, id, recipient) => resubscribe(deps, accountId, id, recipient),

    async change(accountId, id, change) {
      const { ratePerSecond, cloudEvents, redirect, targetSettings, messageSchedule, ...rest } = change
      const { targetType, targetUrl } = rest
      const isOfProgram = [targetType, targetUrl, targetSettings, cloudEvents, redirect].some(
        (value) => value != null,
      )
      const require = isOfProgram ? requireEditable : requireHook
      const hook = await require(hooks, accountId, id)
      requireInRange('ratePerSecond', ratePerSecond, RATE_PER_SECOND)
      if (isInbox(hook) && (targetType != null || targetUrl != null)) {
        throw new OperationError('invalid', 'cannot be set: the inbox of the console has no URL.', {
          field: 'targetUrl',
        })
      }
      const isSameType = targetType == null || targetType === hook.targetType
      const settings =
        targetSettings != null && isSameType
          ? withStoredSecrets(hook, targetSettings, deps.sealer)
          : targetSettings
      const target = changedTarget(deps, hook, { targetType, targetUrl, targetSettings: settings })
      const changed = await hooks.update(accountId, id, {
        target,
        ratePerSecond: ratePerSecond === undefined ? rateAfterMove(hook, target) : ratePerSecond,
        cloudEvents,
        redirect,
        messageSchedule: changedSchedule({ ...hook, ...target }, messageSchedule, clock.now()),
        ...hookTexts(rest),
      })
      if (changed === null) throw noSuchHook()
      return changed
    },

    reconfigure: (accountId, id, change) => reconfigureHook(deps, accountId, id, change),

    pause: (accountId, id) => setStatus(accountId, id, 'paused'),
    resume: (accountId, id) => setStatus(accountId, id, 'active'),

    async setStatuses(accountId, ids, status) {
      const unique = bulkIds('ids', ids, HOOK_IDS_MAX)
      const refused = new Set<string>()
      if (status === 'active')
        for (const hook of await hooks.list(accountId))
          if (hasNobodyLeft(hook, deps.sealer)) refused.add(hook.id)
      const wanted = unique.filter((id) => !refused.has(id))
      const changes = await hooks.setStatuses(accountId, wanted, status, clock.now())
      if (status === 'active') deps.wake()
      const failed = unique.flatMap((id) => {
        if (refused.has(id)) return [{ id, reason: NOBODY_LEFT }]
        const change = changes.get(id)
        if (change === undefined) return [{ id, reason: noSuchHook().message }]
        return change.after === status ? [] : [{ id, reason: 'Its receiver turned it off.' }]
      })
      const changed = [...changes.values()].filter(({ before, after }) => before !== after).length
      return { changed, failed }
    },

    async remove(accountId, id) {
      if (!(await hooks.remove(accountId, id, clock.now()))) throw noSuchHook()
    },

    rotateSecret: (accountId, id, overlapHours) => rotateSecret(deps, accountId, id, overlapHours),
    revokeOldSecrets: (accountId, id) => revokeOldSecrets(deps, accountId, id),
    previewMessage: (type, settings, eventType) => previewMessage(deps, type, settings, eventType),
    sendTest: (accountId, id, eventType) => sendTestEvent(deps, accountId, id, eventType),
  }
}
