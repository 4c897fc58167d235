import { z } from 'zod'
import { says } from '../../../contract/field.ts'
import { MAIL_ADDRESS, MAIL_ADDRESS_CHARS_MAX, withAsciiDomain } from '../../../model/mail-address.ts'
import { mailHeaders } from '../../../model/mail-link.ts'
import { permanent } from '../failures.ts'
import type { MailMessage, Target, TargetAnswer, TargetFailure } from '../target.ts'
import { chartImages } from './chart/charts-html.ts'
import { htmlOf } from './html.ts'
import { digestMail, type MailParts, reviewMail } from './parts.ts'
import { textOf } from './plain-text.ts'

const RECIPIENTS_MAX = 20
const to = says('to', `a list of 1 to ${RECIPIENTS_MAX} mail addresses`)
const address = says('to', 'a list of mail addresses such as team@example.com')

const settings = z.object({
  to: z
    .array(
      z
        .string(address)
        .trim()
        .overwrite(withAsciiDomain)
        .max(MAIL_ADDRESS_CHARS_MAX, address)
        .regex(MAIL_ADDRESS, address),
      to,
    )
    .min(1, to)
    .max(RECIPIENTS_MAX, to)
    .transform((addresses) => [...new Set(addresses)]),
})
type Settings = z.infer<typeof settings>

/** Mail through the SMTP server of the operator. */
export const email: Target<Settings> = {
  type: 'email',
  settings,
  secretFields: [],
  shownUrl: (given) => `mailto:${given.to[0]}`,
  message: (event, given, context) => mailOf(given, reviewMail(event, context), context.unsubscribeUrl),
  digest: (items, given, context) => mailOf(given, digestMail(items, context), context.unsubscribeUrl),
  recipients: ({ to }) => unique(to).map((address) => ({ address, settings: { to: [address] } })),
  failureOf,
  ratePerSecond: 1,
}

/** Addresses that differ only in case are one recipient. */
function unique(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()]
}

function mailOf(given: Settings, parts: MailParts, unsubscribeUrl: string | null): MailMessage {
  return {
    kind: 'mail',
    to: given.to,
    subject: parts.subject,
    text: textOf(parts, unsubscribeUrl),
    html: htmlOf(parts, unsubscribeUrl),
    images: parts.figures === null ? [] : chartImages(parts.figures),
    headers: mailHeaders(unsubscribeUrl),
  }
}

/** Codes of RFC 5321 and RFC 3463. Other permanent codes can be an error of the operator's server, so they are retried. */
function failureOf({ status, body }: TargetAnswer): TargetFailure | null {
  if (status < 500 || status > 599) return null
  const enhanced = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(body)?.[0] ?? ''
  if (/^5\.1\.|^5\.2\.1$/.test(enhanced) || (enhanced === '' && [550, 551, 553].includes(status)))
    return permanent('channel_gone', "The recipient's mail server does not know this address. Correct it.")
  if (/^5\.2\.3$|^5\.3\.4$/.test(enhanced))
    return permanent('message_rejected', "The recipient's mail server rejected the e-mail: it is too large.")
  // 5.7.8 and 5.7.9 are about the sign-in at the operator's server.
  if (/^5\.7\.[0-7]$|^5\.7\.\d\d/.test(enhanced))
    return permanent(
      'posting_forbidden',
      'The mail server rejected the e-mail because of a policy, for example as spam. Ask its administrator to accept e-mail from this service.',
    )
  return null
}
