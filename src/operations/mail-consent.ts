import { randomUUID } from 'node:crypto'
import { type MailLink, type MailLinkPurpose, mailHeaders, mailLinkUrl } from '../model/mail-link.ts'
import { type MailConsent, recipientIdOf } from '../model/mail-recipient.ts'
import type { Log } from '../runtime/log.ts'
import type { Mailer } from '../runtime/mailer.ts'
import type { Sealer } from '../runtime/seal.ts'
import { OperationError } from './error.ts'

export type ConsentDeps = {
  readonly sealer: Sealer
  readonly log: Log
  /** Null without a mail server. */
  readonly mailer: Mailer | null
  /** Null: links cannot lead here. */
  readonly publicUrl: string | null
  readonly mailConsent: MailConsent
}

/** Throws `invalid` when no link can lead a recipient here. */
export function requireLinks({ publicUrl }: Pick<ConsentDeps, 'publicUrl'>, field: string): void {
  if (publicUrl !== null) return
  const problem =
    'cannot get a new address: confirmation links require RADAR_PUBLIC_URL. Ask the operator to set it, or to set RADAR_MAIL_CONSENT=off.'
  throw new OperationError('invalid', problem, { field })
}

type Asks = Exclude<MailLinkPurpose, 'unsubscribe'>

/**
 * Sends somebody the link with which they decide. The caller has taken the permit of `limits.confirmations`. Throws `conflict` without a
 * mail server or public URL, and `unavailable` when the mail server refuses.
 */
export async function askByMail(
  { sealer, mailer, publicUrl }: ConsentDeps,
  address: string,
  link: MailLink & { readonly purpose: Asks },
): Promise<void> {
  if (mailer === null || publicUrl === null) throw new OperationError('conflict', CANNOT_ASK)
  const url = mailLinkUrl(publicUrl, sealer.seal, link)
  const failure = await mailer.send({
    to: [address],
    ...(link.hookId === null ? ALERTS : EVENTS)[link.purpose](url),
    headers: mailHeaders(null),
    id: randomUUID(),
  })
  if (failure !== null) throw new OperationError('unavailable', failure.detail)
}

/**
 * Asks new recipients without keeping the caller waiting, who took the permits before it stored them. A mail that fails is logged; people
 * can send it again.
 */
export function askNewRecipients(
  deps: ConsentDeps,
  accountId: string,
  hookId: string | null,
  addresses: readonly string[],
): void {
  for (const address of addresses) {
    const recipient = recipientIdOf(hookId ?? accountId, address)
    askByMail(deps, address, { purpose: 'confirm', accountId, hookId, recipient }).catch((error: unknown) =>
      deps.log.warn('mail.confirmation_failed', { account: accountId, hook_id: hookId, error }),
    )
  }
}

const CANNOT_ASK =
  'Confirmation links require RADAR_SMTP_URL and RADAR_PUBLIC_URL. Ask the operator to set them.'

type Mail = { readonly subject: string; readonly text: string }

const confirmation =
  (what: string, nothing: string) =>
  (url: string): Mail => ({
    subject: 'Review Radar: confirm your address',
    text: `Someone entered your address to receive ${what}.\n\nConfirm your address with this link:\n${url}\n\nIf you did not expect this, ignore this e-mail: ${nothing}\n`,
  })

const again =
  (what: string) =>
  (url: string): Mail => ({
    subject: 'Review Radar: get these e-mails again?',
    text: `You unsubscribed from ${what}. The people who send them ask whether you want them again.\n\nSubscribe again with this link:\n${url}\n\nOtherwise ignore this e-mail. You stay unsubscribed.\n`,
  })

const ALERTS: Readonly<Record<Asks, (url: string) => Mail>> = {
  confirm: confirmation('alerts about Review Radar', 'you get no alerts.'),
  subscribe: again('alerts about Review Radar'),
}

const EVENTS: Readonly<Record<Asks, (url: string) => Mail>> = {
  confirm: confirmation(
    'e-mails about reviews and ratings of apps from Review Radar',
    'you get none of these e-mails.',
  ),
  subscribe: again('e-mails about reviews and ratings of apps'),
}
