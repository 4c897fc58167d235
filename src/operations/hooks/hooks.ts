import type { MessagePreview } from '../../contract/console/destinations.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { HOOK_IDS_MAX } from '../../model/input-limits.ts'
import { type MailLinkPurpose, mailLinkOf } from '../../model/mail-link.ts'
import type { PausedReason } from '../../model/mail-recipient.ts'
import type { FormattedTargetType } from '../../model/target.ts'
import type { EventType } from '../../model/vocabulary.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppId } from '../apps/apps.ts'
import { type BulkResult, bulkIds } from '../bulk.ts'
import { type Changer, noSuchHook, requireHook } from '../require-hook.ts'
import { changeHook, type HookChange, type HookChangeDeps } from './change-hook.ts'
import { type InboxDeps, openInbox } from './inbox.ts'
import { type HookListDeps, hookListOperations } from './list-hooks.ts'
import {
  askToSubscribe,
  followMailLink,
  type LinkFollowed,
  type MailRecipient,
  type MailRecipientDeps,
  mailRecipients,
  NO_RECIPIENT,
  nobodyBecause,
  pausedReasonOf,
  requireSomebody,
} from './mail-recipients.ts'
import {
  type CreatedHook,
  createHook,
  type HookInput,
  type Idempotency,
  type NewHookDeps,
} from './new-hook.ts'
import { previewMessage } from './preview-message.ts'
import { revokeOldSecrets, rotateSecret, type SecretDeps } from './secrets.ts'
import { type ShownSettings, shownSettings, type TargetSettings, targetUrlProblem } from './target.ts'
import { sendTestEvent, type TestEventDeps, type TestSent } from './test-event.ts'

export type HookDeps = HookListDeps &
  InboxDeps &
  MailRecipientDeps &
  NewHookDeps &
  HookChangeDeps &
  SecretDeps &
  TestEventDeps & {
    readonly hooks: Pick<HookStorage, 'remove' | 'setStatus' | 'setStatuses'>
  }

/**
 * Hooks of one account. Throws `not_found` for an id without a hook in the account. A program manages the target, secret and
 * watches of the hooks that it created: changing them throws `conflict`. Members may read, name, limit, pause, test and
 * remove them, since the program does not depend on that.
 */
export function hookOperations(deps: HookDeps) {
  const { hooks, clock } = deps

  const setStatus = async (accountId: string, id: string, status: 'active' | 'paused') => {
    if (status === 'active') requireSomebody(await requireHook(hooks, accountId, id), deps.sealer)
    const hook = await hooks.setStatus(accountId, id, status, clock.now())
    if (hook === null) throw noSuchHook()
    if (status === 'active') deps.wake()
    return hook
  }

  return {
    /**
     * Creates a hook that gets events from now on. Throws `invalid` for its target or a watch, `conflict` at the account's limit of hooks
     * or tracked storefronts, and `key_reused` for an idempotency key that was used with another request.
     */
    create: (accountId: string, input: HookInput, idempotency?: Idempotency): Promise<CreatedHook> =>
      createHook(deps, accountId, input, idempotency ?? null),
    /**
     * Subscribes the inbox of the account to the new reviews and rating drops of an app, null for every app that the account
     * watches. An account without an inbox gets one. Throws `invalid` for the app, `conflict` at a limit.
     */
    openInbox: (accountId: string, app: AppId | null): Promise<HookWithWatches> =>
      openInbox(deps, accountId, app),
    ...hookListOperations(deps),
    /** The problem with a target URL, worded to follow the field's name; null when a hook may have the URL. */
    targetUrlProblem: (targetUrl: string): string | null => targetUrlProblem(targetUrl, deps.guard),
    get: (accountId: string, id: string): Promise<HookWithWatches> => requireHook(hooks, accountId, id),
    /** The settings of a hook with messages, without secrets; null for a webhook. */
    shownSettings: (hook: Hook): ShownSettings | null => shownSettings(hook, deps.sealer),
    /** The recipients of a mail destination; none for another type. */
    recipients: (hook: Hook): MailRecipient[] => mailRecipients(hook, deps.sealer),
    /** Why the service itself paused the hook; null otherwise. */
    pausedReason: (hook: Hook): PausedReason | null => pausedReasonOf(hook, deps.sealer),
    /** What a link of a mail does; null for one that the service did not make. Says nothing about its recipient. */
    mailLinkPurpose: (token: string): MailLinkPurpose | null =>
      mailLinkOf(deps.sealer.open, token)?.purpose ?? null,
    /**
     * Unsubscribes the recipient of a link, and pauses the hook after the last one; or subscribes them, and resumes the hook if nobody had
     * confirmed yet. Throws `not_found` for a link that the service did not make. Returns null when nothing changed; callers must not show
     * the difference.
     */
    followMailLink: (token: string): Promise<LinkFollowed | null> => followMailLink(deps, token),
    /**
     * Asks a recipient who has not confirmed, or who unsubscribed, by mail. Throws `not_found`, `conflict`, `rate_limited` and
     * `unavailable`.
     */
    askToSubscribe: (accountId: string, id: string, recipient: string): Promise<void> =>
      askToSubscribe(deps, accountId, id, recipient),

    /**
     * Changes a hook. A person changes what a program decides only of hooks of the console, and omitted secrets of settings stay as they
     * are. A program changes only hooks that a program created. `watches` replaces all but those of watch sets; one with the same rule
     * stays as it is. Throws `conflict` for such a hook and at a limit, `invalid` for a value.
     */
    change: (accountId: string, id: string, change: HookChange, by: Changer): Promise<HookWithWatches> =>
      changeHook(deps, accountId, id, change, by),

    /** Holds the hook's pending deliveries. */
    pause: (accountId: string, id: string): Promise<HookWithWatches> => setStatus(accountId, id, 'paused'),
    /**
     * Releases held deliveries in order. Also resumes a hook that its target turned off. Throws `conflict` for a mail destination whose
     * recipients all unsubscribed, or have not confirmed.
     */
    resume: (accountId: string, id: string): Promise<HookWithWatches> => setStatus(accountId, id, 'active'),

    /** Pauses or resumes several hooks in one commit. Throws `invalid` for more than `HOOK_IDS_MAX`. */
    async setStatuses(
      accountId: string,
      ids: readonly string[],
      status: 'active' | 'paused',
    ): Promise<BulkResult> {
      const unique = bulkIds('hookIds', ids, HOOK_IDS_MAX)
      const refused = new Map<string, PausedReason>()
      if (status === 'active')
        for (const hook of await hooks.list(accountId)) {
          const because = nobodyBecause(hook, deps.sealer)
          if (because !== null) refused.set(hook.id, because)
        }
      const wanted = unique.filter((id) => !refused.has(id))
      const changes = await hooks.setStatuses(accountId, wanted, status, clock.now())
      if (status === 'active') deps.wake()
      const failed = unique.flatMap((id) => {
        const because = refused.get(id)
        if (because !== undefined) return [{ id, reason: NO_RECIPIENT[because] }]
        const change = changes.get(id)
        if (change === undefined) return [{ id, reason: noSuchHook().message }]
        return change.after === status ? [] : [{ id, reason: 'Its receiver turned it off.' }]
      })
      const changed = [...changes.values()].filter(({ before, after }) => before !== after).length
      return { changed, failed }
    },

    /** Ends the hook, its watches and its pending deliveries. */
    async remove(accountId: string, id: string): Promise<void> {
      if (!(await hooks.remove(accountId, id, clock.now()))) throw noSuchHook()
    },

    /** Returns the new secret. The replaced one keeps signing for `overlapHours`. */
    rotateSecret: (accountId: string, id: string, overlapHours: number, by: Changer): Promise<string> =>
      rotateSecret(deps, accountId, id, overlapHours, by),
    /** Only the current secret signs from now on. */
    revokeOldSecrets: (accountId: string, id: string, by: Changer): Promise<void> =>
      revokeOldSecrets(deps, accountId, id, by),
    /** The message of a sample event, as text. Throws `invalid` for a setting. Without settings, only what all messages show. */
    previewMessage: (
      type: FormattedTargetType,
      settings: TargetSettings | null,
      eventType: EventType,
    ): MessagePreview => previewMessage(deps, type, settings, eventType),
    /**
     * Sends one synthetic event now, without retries. If `eventType` is null, it is that of the first watch. Throws `rate_limited` when the
     * account has used up its test events of this minute.
     */
    sendTest: (accountId: string, id: string, eventType: EventType | null): Promise<TestSent> =>
      sendTestEvent(deps, accountId, id, eventType),
  }
}
