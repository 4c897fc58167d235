import { createHash } from 'node:crypto'
import type { Mail, Mailer, MailFailure } from '../../../runtime/mailer.ts'
import type { MailMessage, Target, TargetFailure } from '../../targets/target.ts'
import type { AttemptOutcome } from '../after-attempt.ts'
import type { RecipientMail } from './make-message.ts'

export type MailsResult = {
  readonly outcome: AttemptOutcome
  readonly detail: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  /** For each event: all recipients that have accepted it so far. */
  readonly acceptedBy: readonly (readonly string[])[]
}

/** The deliveries of a message: their events, and who accepted them before. */
export type MailedEvents = {
  readonly bodies: readonly string[]
  readonly acceptedBy: readonly (readonly string[])[]
}

/** Mail servers limit the connections of one sender. */
const CONNECTIONS_MAX = 3
/** For all mails of an attempt. Leases of deliveries are longer: afterwards another node would send the mails again. */
export const MAILS_TIMEOUT_MS = 30_000

/**
 * Sends each recipient a mail of their own. When some recipients fail for now, the delivery fails, and the next attempt mails only these. A
 * recipient that is rejected for good makes it fail only if nobody accepted it.
 */
export async function sendMails(
  mailer: Mailer | null,
  target: Pick<Target<unknown>, 'failureOf'>,
  mails: readonly RecipientMail[],
  events: MailedEvents,
  {
    signal,
    timeoutMs = MAILS_TIMEOUT_MS,
  }: { readonly signal: AbortSignal | undefined; readonly timeoutMs?: number },
): Promise<MailsResult> {
  const requestHeaders = {
    to: mails.map(({ address }) => address).join(', '),
    subject: mails.map(({ message }) => mailOf(message).subject)[0] ?? '',
  }
  const unsent = { requestHeaders, acceptedBy: events.acceptedBy }
  if (mails.length === 0) {
    const detail = 'Every recipient has the mail, unsubscribed or has not confirmed. No mail was sent.'
    return { ...unsent, outcome: { kind: 'accepted', httpStatus: null }, detail, requestHeaders: {} }
  }
  if (mailer === null) {
    const detail = 'This node has no mail server. The operator sets RADAR_SMTP_URL and RADAR_SMTP_FROM.'
    return { ...unsent, outcome: failedFor('no_mail_server'), detail }
  }
  const made = mails.map(({ address, recipient, message, events: places }): Mail => {
    const { subject, text, html, headers, images } = mailOf(message)
    const id = `${mailIdOf(places.map((place) => events.bodies[place] ?? ''))}.${recipient}`
    return { to: [address], subject, text, html, headers, images, id }
  })
  const failures = await sendEach(mailer, made, signal, timeoutMs)
  // Mails that were all accepted are not sent again, although the service is stopping.
  const isAccepted = failures.every((failure) => failure === null)
  if (signal?.aborted && !isAccepted) return { ...unsent, outcome: { kind: 'interrupted' }, detail: null }
  const accepted = mails.filter((_, index) => failures[index] === null)
  const acceptedBy = events.acceptedBy.map((before, place) => [
    ...before,
    ...accepted.filter((mail) => mail.events.includes(place)).map(({ recipient }) => recipient),
  ])
  return { ...resultOf(target, mails, failures, acceptedBy), requestHeaders, acceptedBy }
}

/** The failure of each mail; null when it was accepted. */
export async function sendEach(
  mailer: Mailer,
  mails: readonly Mail[],
  signal: AbortSignal | undefined,
  timeoutMs = MAILS_TIMEOUT_MS,
): Promise<(MailFailure | null)[]> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  const late = `The e-mails of this attempt took longer than ${timeoutMs / 1000} s.`
  const failures: (MailFailure | null)[] = mails.map(() => null)
  const queue = mails.entries()
  const work = async () => {
    for (const [index, mail] of queue) {
      const failure = ends.aborted ? NOT_SENT : await mailer.send(mail, ends)
      failures[index] = failure !== null && timeout.aborted ? { ...failure, detail: late } : failure
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS_MAX }, work))
  return failures
}

const NOT_SENT: MailFailure = { detail: '', status: null, reply: '', isPartial: false }

type Failed = { readonly address: string; readonly detail: string; readonly meaning: TargetFailure | null }

/** What an attempt means. `failures`: of the mails, in their order. */
export function resultOf(
  target: Pick<Target<unknown>, 'failureOf'>,
  mails: readonly { readonly address: string }[],
  failures: readonly (MailFailure | null)[],
  acceptedBy: MailsResult['acceptedBy'],
): Pick<MailsResult, 'outcome' | 'detail'> {
  const failed = mails.flatMap(({ address }, index): Failed[] => {
    const failure = failures[index]
    if (failure == null) return []
    const { status, reply } = failure
    const meaning = status === null ? null : target.failureOf({ status, headers: {}, body: reply })
    const detail = meaning?.kind === 'permanent' ? meaning.detail : failure.detail
    return [{ address, detail, meaning }]
  })
  const [first] = failed
  if (first === undefined) {
    const detail =
      mails.length === 1 ? 'Accepted by the mail server.' : `Accepted for ${mails.length} recipients.`
    return { outcome: { kind: 'accepted', httpStatus: null }, detail }
  }
  const detail =
    failed.length === 1 && mails.length === 1
      ? first.detail
      : failed.map((each) => `${each.address}: ${each.detail}`).join('\n')
  if (failed.some(({ meaning }) => meaning?.kind !== 'permanent'))
    return { outcome: failedFor('mail_failed'), detail }
  if (acceptedBy.some((recipients) => recipients.length > 0))
    return { outcome: { kind: 'accepted', httpStatus: null }, detail }
  const reason = first.meaning?.kind === 'permanent' ? first.meaning.reason : 'message_rejected'
  return { outcome: { kind: 'permanent', reason }, detail }
}

function failedFor(reason: 'mail_failed' | 'no_mail_server'): AttemptOutcome {
  return { kind: 'failed', reason, httpStatus: null, retryAfterMs: null }
}

function mailOf(message: RecipientMail['message']): MailMessage {
  if (message.kind !== 'mail') throw new Error('only mails have recipients')
  return message
}

/** The same for each attempt. A mail with other events has another one, since mail programs show one mail of an id. */
export function mailIdOf(bodies: readonly string[]): string {
  const [body = ''] = bodies
  if (bodies.length === 1) return (JSON.parse(body) as { readonly event_id: string }).event_id
  return createHash('sha256').update(JSON.stringify(bodies)).digest('hex')
}
