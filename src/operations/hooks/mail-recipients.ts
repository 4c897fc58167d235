import type { Hook } from '../../model/hook.ts'
import type { NewRecipients } from '../../model/hook-change.ts'
import { type MailLink, mailLinkOf } from '../../model/mail-link.ts'
import { type PausedReason, recipientIdOf, UNSUBSCRIBED_MAX } from '../../model/mail-recipient.ts'
import { TARGETS } from '../../pipeline/targets/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { WithInstants } from '../../runtime/instant.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { AlertStorage } from '../../storage/port/alerts.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'
import { askByMail, type ConsentDeps, requireLinks } from '../mail-consent.ts'
import { requireHook } from '../require-hook.ts'

/** A recipient of a mail destination. */
export type MailRecipient = {
  readonly id: string
  readonly address: string
  /** Null while subscribed, and before they confirmed. */
  readonly unsubscribedAt: Date | null
  /** Since when the confirmation is pending; null otherwise. */
  readonly unconfirmedSince: Date | null
}

/** What a link changed, for the audit log. */
export type LinkFollowed = Omit<MailLink, 'recipient'> & {
  readonly address: string
  /** It was the last recipient, so the hook is paused; or the first one, so it is resumed. */
  readonly changesHook: 'pauses' | 'resumes' | null
}

export type MailRecipientDeps = ConsentDeps & {
  readonly limits: Pick<AccountGuard, 'confirmations'>
  readonly hooks: Pick<HookStorage, 'get' | 'unsubscribe' | 'resubscribe'>
  readonly alerts: Pick<AlertStorage, 'followLink'>
  readonly clock: Clock
  /** Ends the wait of the loops. */
  readonly wake: () => void
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
    const left = unsubscribed.find(({ recipient }) => recipient === id)
    const at = left?.at ?? null
    return left?.unconfirmed
      ? { id, address, unsubscribedAt: null, unconfirmedSince: at }
      : { id, address, unsubscribedAt: at, unconfirmedSince: null }
  })
}

/** The recipients who get the mails. */
export function subscribedRecipients(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): MailRecipient[] {
  return mailRecipients(hook, sealer).filter(isSubscribed)
}

function isSubscribed({ unsubscribedAt, unconfirmedSince }: MailRecipient): boolean {
  return unsubscribedAt === null && unconfirmedSince === null
}

/** Why nobody gets the mails of a mail destination; null when somebody does, and for another type. */
export function nobodyBecause(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): PausedReason | null {
  const recipients = mailRecipients(hook, sealer)
  if (recipients.length === 0 || recipients.some(isSubscribed)) return null
  return recipients.every(({ unsubscribedAt }) => unsubscribedAt !== null)
    ? 'all_unsubscribed'
    : 'unconfirmed'
}

/** Why the service paused a hook; null for another one. */
export function pausedReasonOf(
  hook: WithRecipients & Pick<Hook, 'status'>,
  sealer: Pick<Sealer, 'open'>,
): PausedReason | null {
  return hook.status === 'paused' ? nobodyBecause(hook, sealer) : null
}

/** `l…@example.com` */
export function maskedAddress(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
}

/** Throws `conflict` when nobody would get the messages. */
export function requireSomebody(hook: WithRecipients, sealer: Pick<Sealer, 'open'>): void {
  const reason = nobodyBecause(hook, sealer)
  if (reason !== null) throw new OperationError('conflict', NO_RECIPIENT[reason])
}

const TOO_MANY_UNSUBSCRIBED = `This destination has ${UNSUBSCRIBED_MAX} unsubscribed or unconfirmed addresses, and accepts no more. Create another destination.`

export const NO_RECIPIENT: Readonly<Record<PausedReason, string>> = {
  all_unsubscribed:
    'All recipients unsubscribed. Ask one of them to subscribe again, or add another address.',
  unconfirmed:
    'No recipient has confirmed yet. Each got an e-mail with a link. The destination resumes when the first one confirms.',
}

/**
 * Does what the link of a mail says: its recipient gets no more mails, or gets them again. Throws `not_found` for a link that this service
 * did not make. Returns null when nothing changed, such as for a deleted hook, a removed address or a second time; the caller must not tell
 * these apart.
 */
export async function followMailLink(
  { hooks, alerts, sealer, clock, wake }: MailRecipientDeps,
  token: string,
): Promise<LinkFollowed | null> {
  const link = mailLinkOf(sealer.open, token)
  if (link === null) throw invalidLink()
  const { purpose, accountId, hookId, recipient } = link
  if (hookId === null) {
    const address = await alerts.followLink(accountId, { purpose, recipient, at: clock.now() })
    return address === null ? null : { purpose, accountId, hookId, address, changesHook: null }
  }
  const hook = await hooks.get(accountId, hookId)
  const recipients = hook === null ? [] : mailRecipients(hook, sealer)
  const found = recipients.find(({ id }) => id === recipient)
  if (found === undefined) return null
  const followed = { purpose, accountId, hookId, address: found.address }
  const change = { recipient, recipients: recipients.map(({ id }) => id), at: clock.now() }
  if (purpose === 'unsubscribe') {
    const changed = await hooks.unsubscribe(accountId, hookId, change)
    if (changed === null || !changed.isNew) return null
    return { ...followed, changesHook: changed.pauses ? 'pauses' : null }
  }
  // An old link to confirm does not undo that they left since.
  if ((purpose === 'confirm' ? found.unconfirmedSince : found.unsubscribedAt) === null) return null
  const changed = await hooks.resubscribe(accountId, hookId, change)
  if (changed === null) return null
  if (changed.resumes) wake()
  return { ...followed, changesHook: changed.resumes ? 'resumes' : null }
}

export function invalidLink(): OperationError {
  return new OperationError('not_found', 'This link is not valid.')
}

/**
 * Asks a recipient who has not confirmed, or who unsubscribed, by mail: nobody else decides that. Throws `not_found`, `conflict` for a
 * recipient who is subscribed, `rate_limited`, and the errors of `askByMail`.
 */
export async function askToSubscribe(
  deps: MailRecipientDeps,
  accountId: string,
  hookId: string,
  recipient: string,
): Promise<void> {
  const hook = await requireHook(deps.hooks, accountId, hookId)
  const found = mailRecipients(hook, deps.sealer).find(({ id }) => id === recipient)
  if (found === undefined) throw new OperationError('not_found', 'The destination has no such recipient.')
  if (isSubscribed(found)) throw new OperationError('conflict', 'This recipient is subscribed.')
  deps.limits.confirmations(accountId, [found.address])
  const purpose = found.unconfirmedSince === null ? 'subscribe' : 'confirm'
  await askByMail(deps, found.address, { purpose, accountId, hookId, recipient })
}

/**
 * The recipients of a new target who must confirm first, and all of them; `change` is undefined for another type. `addresses`: those to
 * ask. Throws `invalid` when there are new ones whom nobody could ask, and `conflict` for new ones when too many left the hook.
 */
export function newRecipients(
  deps: ConsentDeps & { readonly clock: Clock },
  before: WithRecipients | null,
  after: WithRecipients,
): { readonly change: WithInstants<NewRecipients> | undefined; readonly addresses: readonly string[] } {
  const recipients = mailRecipients(after, deps.sealer)
  if (recipients.length === 0) return { change: undefined, addresses: [] }
  const known = new Set(before === null ? [] : mailRecipients(before, deps.sealer).map(({ id }) => id))
  const added = recipients.filter(({ id }) => !known.has(id))
  if (added.length > 0 && after.unsubscribed.length >= UNSUBSCRIBED_MAX)
    throw new OperationError('conflict', TOO_MANY_UNSUBSCRIBED)
  // Unsubscribed addresses are asked only by `askToSubscribe`.
  const asked =
    deps.mailConsent === 'off' ? [] : added.filter(({ unsubscribedAt }) => unsubscribedAt === null)
  if (asked.length > 0) requireLinks(deps, 'targetSettings.to')
  // A concurrent update may drop an unconfirmed address before this one adds it again.
  const waiting = recipients.filter(({ unconfirmedSince }) => unconfirmedSince !== null)
  const unconfirmed = [...new Set([...asked, ...waiting].map(({ id }) => id))]
  const change = { unconfirmed, recipients: recipients.map(({ id }) => id), at: deps.clock.now() }
  return { change, addresses: asked.map(({ address }) => address) }
}

function opened(sealer: Pick<Sealer, 'open'>, sealed: string, hookId: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, hookId))
  } catch {
    return null
  }
}
