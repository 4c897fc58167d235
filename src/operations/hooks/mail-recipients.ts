import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { type PausedReason, recipientIdOf } from '../../model/mail-recipient.ts'
import { unsubscribeLinkOf } from '../../model/unsubscribe-token.ts'
import { TARGETS } from '../../pipeline/targets/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import { noSuchHook, requireHook } from '../require-hook.ts'

/** A recipient of a mail destination. */
export type MailRecipient = {
  readonly id: string
  readonly address: string
  /** Null while subscribed. */
  readonly unsubscribedAt: Date | null
}

/** An unsubscription that changed something, for the audit log. */
export type NewUnsubscription = {
  readonly accountId: string
  readonly hookId: string
  readonly address: string
  /** It was the last recipient, so the hook is paused. */
  readonly pauses: boolean
}

export type MailRecipientDeps = {
  readonly hooks: Pick<HookStorage, 'get' | 'unsubscribe' | 'resubscribe'>
  readonly sealer: Sealer
  readonly clock: Clock
}

type WithRecipients = Pick<Hook, 'id' | 'targetType' | 'targetSettings' | 'unsubscribed'>

/** The recipients of a mail destination in the order of its settings; none for another type, and when another key sealed the settings. */
export function mailRecipients(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): MailRecipient[] {
  const { id: hookId, targetType, targetSettings, unsubscribed } = hook
  if (targetType === 'webhook' || targetSettings === null) return []
  const target = TARGETS[targetType]
  if (target.recipients === undefined) return []
  const { data: settings } = target.settings.safeParse(opened(sealer, targetSettings, hookId))
  if (settings === undefined) return []
  return target.recipients(settings).map(({ address }) => {
    const id = recipientIdOf(hookId, address)
    const unsubscribedAt = unsubscribed.find(({ recipient }) => recipient === id)?.at ?? null
    return { id, address, unsubscribedAt }
  })
}

/** Whether a mail destination has recipients, and all of them unsubscribed. */
export function hasNobodyLeft(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): boolean {
  const recipients = mailRecipients(hook, sealer)
  return recipients.length > 0 && recipients.every(({ unsubscribedAt }) => unsubscribedAt !== null)
}

/** Why the service paused a hook; null for another one. */
export function pausedReasonOf(
  hook: WithRecipients & Pick<Hook, 'status'>,
  sealer: Pick<Sealer, 'open'>,
): PausedReason | null {
  return hook.status === 'paused' && hasNobodyLeft(hook, sealer) ? 'all_unsubscribed' : null
}

/** `l…@example.com` */
export function maskedAddress(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
}

/** Throws `conflict` when nobody would get the messages. */
export function requireSomebody(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): void {
  if (hasNobodyLeft(hook, sealer)) throw new OperationError('conflict', NOBODY_LEFT)
}

export const NOBODY_LEFT = 'All recipients unsubscribed. Subscribe one of them again, or add another address.'

/**
 * Unsubscribes the recipient of a link. Throws `not_found` for a link that this service did not make. Returns null when nothing changed, such
 * as for a deleted hook, a removed address or a second time; the caller must not tell these apart.
 */
export async function unsubscribe(
  { hooks, sealer, clock }: MailRecipientDeps,
  token: string,
): Promise<NewUnsubscription | null> {
  const link = unsubscribeLinkOf(sealer.open, token)
  if (link === null) throw invalidLink()
  const { accountId, hookId, recipient } = link
  const hook = await hooks.get(accountId, hookId)
  const recipients = hook === null ? [] : mailRecipients(hook, sealer)
  const found = recipients.find(({ id }) => id === recipient)
  if (found === undefined) return null
  const ids = recipients.map(({ id }) => id)
  const changed = await hooks.unsubscribe(accountId, hookId, {
    recipient,
    recipients: ids,
    at: clock.now(),
  })
  if (changed === null || !changed.isNew) return null
  return { accountId, hookId, address: found.address, pauses: changed.pauses }
}

export function invalidLink(): OperationError {
  return new OperationError('not_found', 'This link is not valid.')
}

/** The recipient gets the mails of later events. The hook stays paused if it is. Throws `not_found`. */
export async function resubscribe(
  { hooks, sealer }: MailRecipientDeps,
  accountId: string,
  hookId: string,
  recipient: string,
): Promise<HookWithWatches> {
  const hook = await requireHook(hooks, accountId, hookId)
  if (!mailRecipients(hook, sealer).some(({ id }) => id === recipient))
    throw new OperationError('not_found', 'The destination has no such recipient.')
  const changed = await hooks.resubscribe(accountId, hookId, recipient)
  if (changed === null) throw noSuchHook()
  return changed
}

function opened(sealer: Pick<Sealer, 'open'>, sealed: string, hookId: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, hookId))
  } catch {
    return null
  }
}
