import { alertRecipients, noAlertMailsBecause } from '../model/alert.ts'
import { mailHeaders, mailLinkUrl } from '../model/mail-link.ts'
import type { Mailer } from '../runtime/mailer.ts'
import type { ClaimedAlert } from '../storage/port/alerts.ts'
import type { MailedAlert } from './alert/alert-loop.ts'
import { resultOf, sendEach } from './send/message/send-mails.ts'
import { TARGETS } from './targets/index.ts'

export type AlertMailDeps = {
  /** Null without a mail server. */
  readonly mailer: Mailer | null
  readonly seal: (text: string, owner: string) => string
  /** Null: no link can lead here. */
  readonly publicUrl: string | null
}

const NOBODY = {
  all_unsubscribed: 'All recipients of alerts unsubscribed.',
  unconfirmed: 'No recipient of alerts has confirmed the address yet.',
} as const

/**
 * Sends an alert as mails of events are sent: each recipient gets one of their own, and the next attempt mails only those who have not
 * accepted it. `settingsUrl`: where an owner changes the recipients.
 */
export function createAlertMails(
  { mailer, seal, publicUrl }: AlertMailDeps,
  signal: AbortSignal,
): (claimed: ClaimedAlert, settingsUrl: string | null) => Promise<MailedAlert> {
  return async ({ alert, settings, acceptedBy }, settingsUrl) => {
    const notSent = (problem: string): MailedAlert => ({ isSent: false, problem, acceptedBy })
    if (settings.emails.length === 0) return notSent('The addresses were removed.')
    const subscribed = alertRecipients(settings).filter(({ state }) => state === 'subscribed')
    const mails = subscribed.filter(({ id }) => !acceptedBy.includes(id))
    // Who did not accept it has left since.
    if (mails.length === 0 && acceptedBy.length > 0) return { isSent: true, problem: null, acceptedBy }
    const because = noAlertMailsBecause(settings)
    if (because !== null) return notSent(NOBODY[because])
    if (mailer === null) return notSent('This node has no mail server: RADAR_SMTP_URL is not set.')
    const made = mails.map(({ id: recipient, address }) => {
      const link = { purpose: 'unsubscribe', accountId: alert.accountId, hookId: null, recipient } as const
      const url = publicUrl === null ? null : mailLinkUrl(publicUrl, seal, link)
      return {
        to: [address],
        subject: `Review Radar: ${alert.title}`,
        text: `${alert.text}\n\n-- \n${footerOf(url, settingsUrl)}\n`,
        headers: mailHeaders(url),
        id: `${alert.id}.${recipient}`,
      }
    })
    const failures = await sendEach(mailer, made, signal)
    const accepted = mails.filter((_, index) => failures[index] === null).map(({ id }) => id)
    const all = [...acceptedBy, ...accepted]
    const { outcome, detail } = resultOf(TARGETS.email, mails, failures, [all])
    if (accepted.length === mails.length) return { isSent: true, problem: null, acceptedBy: all }
    const problem = signal.aborted ? 'The service stopped during the attempt.' : detail
    return { isSent: outcome.kind === 'accepted', problem, acceptedBy: all }
  }
}

function footerOf(unsubscribeUrl: string | null, settingsUrl: string | null): string {
  const why = 'You get alerts because an owner of the Review Radar account entered your address.'
  if (unsubscribeUrl !== null) return `${why}\n\nUnsubscribe: ${unsubscribeUrl}`
  const place = settingsUrl === null ? '' : `: ${settingsUrl}`
  return `${why} An owner removes it on the account page${place}`
}
