import { hashOf } from './canonical.ts'

/** A recipient of a mail destination, or of alerts, who gets no mails: unsubscribed, or not confirmed yet. */
export type Unsubscribed = {
  /** `recipientIdOf` the address. */
  readonly recipient: string
  readonly at: Date
  /** The address was entered at `at` and is not confirmed. Absent: unsubscribed. */
  readonly unconfirmed?: true
}

/** Of one hook, or the alerts of one account: recipients who left, removed ones too, and those who have not confirmed. */
export const UNSUBSCRIBED_MAX = 1_000

/** Whether recipients must confirm their address before they get mails. */
export const MAIL_CONSENTS = ['confirm', 'off'] as const
export type MailConsent = (typeof MAIL_CONSENTS)[number]

const ID_CHARS = 16

/** Identifies an address among the recipients of a hook, or of the alerts of an account, without naming it. Case does not matter. */
export function recipientIdOf(ownerId: string, address: string): string {
  return hashOf(['mail recipient', ownerId, address.toLowerCase()]).slice(0, ID_CHARS)
}

/** Why nobody gets the mails of a hook, which the service then pauses, or the alerts of an account. */
export const PAUSED_REASONS = ['all_unsubscribed', 'unconfirmed'] as const
export type PausedReason = (typeof PAUSED_REASONS)[number]
