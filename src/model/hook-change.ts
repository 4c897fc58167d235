import type { Hook, HookWithWatches, SealedSecret, Watch } from './hook.ts'
import { givenOptions, type HookOptionsInput } from './hook-options.ts'
import type { Unsubscribed } from './mail-recipient.ts'

/**
 * Replaces the watches of a hook, except those of its sets. `from` returns the new ones from the stored ones: those with the id of a stored
 * one stay as they are, others match from their `createdAt` on.
 */
export type WatchReplacement = {
  readonly at: Date
  readonly from: (stored: readonly Watch[]) => readonly Watch[]
}

/** An absent field is not changed. */
export type HookUpdate = HookOptionsInput & {
  /** A new target resets the sender's state of the hook: breaker and rate limit. */
  readonly target?: Pick<Hook, 'targetType' | 'targetUrl' | 'targetSettings'> | undefined
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly ratePerSecond?: number | null | undefined
  /** A new schedule makes the lane ready, so that the sender reads it. */
  readonly messageSchedule?: Hook['messageSchedule'] | undefined
  /**
   * Computes the secrets from the stored ones in this commit, so that concurrent rotations keep each other's secrets.
   */
  readonly secrets?: ((stored: readonly SealedSecret[]) => readonly SealedSecret[]) | undefined
  readonly watches?: WatchReplacement | undefined
  /** Of a new target. The hook is paused when nobody gets its mails. */
  readonly recipients?: NewRecipients | undefined
}

/** Recipients of mails who must confirm first. */
export type NewRecipients = {
  readonly unconfirmed: readonly string[]
  /** All recipients of the settings. */
  readonly recipients: readonly string[]
  readonly at: Date
}

/** A recipient of a mail destination unsubscribes, or subscribes. */
export type Unsubscription = {
  readonly recipient: string
  /** All recipients of the settings. */
  readonly recipients: readonly string[]
  readonly at: Date
}

/** The hook after the change of its own fields. */
export function updatedHook(hook: HookWithWatches, change: HookUpdate): HookWithWatches {
  const { target, name, description, ratePerSecond, messageSchedule, secrets, recipients } = change
  const unsubscribed = recipients ? withUnconfirmed(hook.unsubscribed, recipients) : hook.unsubscribed
  const isPaused =
    hook.status === 'active' && recipients !== undefined && isNobodyLeft(unsubscribed, recipients.recipients)
  return {
    ...hook,
    ...target,
    name: name === undefined ? hook.name : name,
    description: description === undefined ? hook.description : description,
    ratePerSecond: ratePerSecond === undefined ? hook.ratePerSecond : ratePerSecond,
    ...givenOptions(change),
    messageSchedule: messageSchedule === undefined ? hook.messageSchedule : messageSchedule,
    secrets: secrets?.(hook.secrets) ?? hook.secrets,
    unsubscribed,
    status: isPaused ? 'paused' : hook.status,
  }
}

/**
 * Those who left stay as they are, and so do recipients who have not confirmed. Removed addresses that never confirmed are forgotten:
 * whoever adds them again asks again.
 */
export function withUnconfirmed(
  stored: readonly Unsubscribed[],
  { unconfirmed, recipients, at }: NewRecipients,
): readonly Unsubscribed[] {
  const wanted = new Set(recipients)
  const kept = stored.filter((each) => !each.unconfirmed || wanted.has(each.recipient))
  const known = new Set(kept.map(({ recipient }) => recipient))
  const added = unconfirmed.filter((recipient) => !known.has(recipient))
  return [...kept, ...added.map((recipient) => ({ recipient, at, unconfirmed: true as const }))]
}

function isNobodyLeft(unsubscribed: readonly Unsubscribed[], recipients: readonly string[]): boolean {
  const left = new Set(unsubscribed.map(({ recipient }) => recipient))
  return recipients.length > 0 && recipients.every((each) => left.has(each))
}

/** The hook after a recipient subscribed. The first one to confirm resumes it, also when a person paused it while nobody had. */
export function withRecipient(
  hook: HookWithWatches,
  { recipient, recipients }: Pick<Unsubscription, 'recipient' | 'recipients'>,
): { readonly hook: HookWithWatches; readonly resumes: boolean } {
  const before = hook.unsubscribed.find((each) => each.recipient === recipient)
  const unsubscribed = hook.unsubscribed.filter((each) => each !== before)
  const resumes =
    hook.status === 'paused' && before?.unconfirmed === true && isNobodyLeft(hook.unsubscribed, recipients)
  return { hook: { ...hook, unsubscribed }, resumes }
}

/** The hook after a recipient unsubscribed: paused when all of `recipients` have. */
export function withoutRecipient(
  hook: HookWithWatches,
  { recipient, recipients, at }: Unsubscription,
): { readonly hook: HookWithWatches; readonly isNew: boolean; readonly pauses: boolean } {
  const isNew = hook.unsubscribed.every((each) => each.recipient !== recipient)
  const unsubscribed = isNew ? [...hook.unsubscribed, { recipient, at }] : hook.unsubscribed
  const pauses = isNew && hook.status === 'active' && isNobodyLeft(unsubscribed, recipients)
  return { hook: { ...hook, unsubscribed }, isNew, pauses }
}

/** Whether deliveries that wait may be sent earlier or later than before. */
export function hasNewSchedule(before: Hook, after: Hook): boolean {
  return JSON.stringify(before.messageSchedule) !== JSON.stringify(after.messageSchedule)
}

/** Whether deliveries go to another place than before, so that failures until now say nothing about it. */
export function hasNewTarget(before: Hook, after: Hook): boolean {
  return before.targetUrl !== after.targetUrl || before.targetSettings !== after.targetSettings
}

/** The number of watches that counts for the limit of a hook: a watch set counts as one. */
export function ruleCount({ watches, watchSets }: HookWithWatches): number {
  return watches.filter(({ setId }) => setId === null).length + watchSets.length
}

/** The watches that a replacement deletes and inserts. */
export function watchChanges(hook: HookWithWatches, from: WatchReplacement['from']) {
  const stored = hook.watches.filter(({ setId }) => setId === null)
  const wanted = from(stored)
  const before = new Set(stored.map(({ id }) => id))
  const after = new Set(wanted.map(({ id }) => id))
  return {
    removed: stored.filter(({ id }) => !after.has(id)),
    added: wanted
      .filter(({ id }) => !before.has(id))
      .map((watch) => ({ ...watch, hookId: hook.id, accountId: hook.accountId })),
  }
}

/** The watches with an app and event type that `watched` does not contain. */
export function watchesBeside(watched: readonly Watch[], watches: readonly Watch[]): Watch[] {
  const keyOf = ({ store, appId, eventType }: Watch) => `${store} ${eventType} ${appId}`
  const known = new Set(watched.map(keyOf))
  return watches.filter((watch) => !known.has(keyOf(watch)))
}
