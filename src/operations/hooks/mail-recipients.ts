import { randomUUID } from 'node:crypto'
import type { Hook } from '../../model/hook.ts'
import { type MailLink, mailLinkOf, mailLinkUrl } from '../../model/mail-link.ts'
import { type PausedReason, recipientIdOf } from '../../model/mail-recipient.ts'
import { TARGETS } from '../../pipeline/targets/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Mailer } from '../../runtime/mailer.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { OperationError } from '../error.ts'
import type { AccountGuard } from '../limits.ts'
import { requireHook } from '../require-hook.ts'

/** A recipient of a mail destination. */
export type MailRecipient = {
  readonly id: string
  readonly address: string
  /** Null while subscribed. */
  readonly unsubscribedAt: Date | null
}

/** What a link changed, for the audit log. */
export type LinkFollowed = Omit<MailLink, 'recipient'> & {
  readonly address: string
  /** It was the last recipient, so the hook is paused. */
  readonly pauses: boolean
}

export type MailRecipientDeps = {
  readonly hooks: Pick<HookStorage, 'get' | 'unsubscribe' | 'resubscribe'>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly limits: Pick<AccountGuard, 'testMail'>
  /** Null without a mail server. */
  readonly mailer: Mailer | null
  /** Null: links cannot lead here. */
  readonly publicUrl: string | null
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
 * Does what the link of a mail says: its recipient gets no more mails, or gets them again. Throws `not_found` for a link that this service did
 * not make. Returns null when nothing changed, such as for a deleted hook, a removed address or a second time; the caller must not tell these
 * apart.
 */
export async function followMailLink(
  { hooks, sealer, clock }: MailRecipientDeps,
  token: string,
): Promise<LinkFollowed | null> {
  const link = mailLinkOf(sealer.open, token)
  if (link === null) throw invalidLink()
  const { purpose, accountId, hookId, recipient } = link
  const hook = await hooks.get(accountId, hookId)
  const recipients = hook === null ? [] : mailRecipients(hook, sealer)
  const found = recipients.find(({ id }) => id === recipient)
  if (found === undefined) return null
  const followed = { purpose, accountId, hookId, address: found.address }
  if (purpose === 'subscribe') {
    if (found.unsubscribedAt === null) return null
    return (await hooks.resubscribe(accountId, hookId, recipient)) === null
      ? null
      : { ...followed, pauses: false }
  }
  const ids = recipients.map(({ id }) => id)
  const changed = await hooks.unsubscribe(accountId, hookId, { recipient, recipients: ids, at: clock.now() })
  return changed === null || !changed.isNew ? null : { ...followed, pauses: changed.pauses }
}

export function invalidLink(): OperationError {
  return new OperationError('not_found', 'This link is not valid.')
}

/**
 * Asks a recipient who unsubscribed, by mail, whether they want the mails again: nobody else decides that. Throws `not_found`, `conflict` for
 * a recipient who is subscribed and without a mail server or public URL, `rate_limited`, and `unavailable` when the mail server refuses.
 */
export async function askToSubscribe(
  { hooks, sealer, limits, mailer, publicUrl }: MailRecipientDeps,
  accountId: string,
  hookId: string,
  recipient: string,
): Promise<void> {
  const hook = await requireHook(hooks, accountId, hookId)
  const found = mailRecipients(hook, sealer).find(({ id }) => id === recipient)
  if (found === undefined) throw new OperationError('not_found', 'The destination has no such recipient.')
  if (found.unsubscribedAt === null) throw new OperationError('conflict', 'This recipient is subscribed.')
  if (mailer === null || publicUrl === null) throw new OperationError('conflict', CANNOT_ASK)
  limits.testMail(found.address.toLowerCase())
  const url = mailLinkUrl(publicUrl, sealer.seal, { purpose: 'subscribe', accountId, hookId, recipient })
  const failure = await mailer.send({
    to: [found.address],
    subject: 'Review Radar: get these e-mails again?',
    text: `You unsubscribed from e-mails about reviews and ratings of apps. The people who send them ask whether you want them again.\n\nIf so, open this link and confirm:\n${url}\n\nIf not, you need to do nothing: you get no more of them.\n`,
    headers: { 'auto-submitted': 'auto-generated' },
    id: randomUUID(),
  })
  if (failure !== null) throw new OperationError('unavailable', failure.detail)
}

const CANNOT_ASK =
  'Only the recipient can subscribe again, with the link of a mail. That needs RADAR_SMTP_URL and RADAR_PUBLIC_URL, which the operator sets.'

function opened(sealer: Pick<Sealer, 'open'>, sealed: string, hookId: string): unknown {
  try {
    return JSON.parse(sealer.open(sealed, hookId))
  } catch {
    return null
  }
}
