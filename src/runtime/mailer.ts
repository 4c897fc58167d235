import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { SMTPSentMessageInfo, SMTPTransportOptions, Transporter } from 'nodemailer'

type Transport = Transporter<SMTPSentMessageInfo, SMTPTransportOptions>

export type Mail = {
  /** Several recipients do not see each other. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Pictures that the HTML shows by `cid:`. */
  readonly images?: readonly { readonly cid: string; readonly name: string; readonly png: Uint8Array }[]
  readonly headers?: Readonly<Record<string, string>>
  /** The same for every attempt to send a mail, so that mail programs can detect duplicates. */
  readonly id: string
}

export type MailFailure = {
  /** What went wrong, as a sentence. */
  readonly detail: string
  /** The SMTP code of the server's reply; null without a reply. */
  readonly status: number | null
  /** The server's reply; untrusted text. */
  readonly reply: string
  /** The server accepted the mail for some recipients. */
  readonly isPartial: boolean
}

export type Mailer = {
  /**
   * Sends a mail. Returns null when the server accepted it for all recipients. Rejects only for a bug. `signal` closes the connection; the
   * server may have accepted the mail by then.
   */
  readonly send: (mail: Mail, signal?: AbortSignal) => Promise<MailFailure | null>
}

/** Without any answer of the server. */
const IDLE_MS_MAX = 15_000
const SOCKET_MARGIN_MS = 1_000
/** For a whole mail. Less than the lease of a delivery, after which another node would send the mail again. */
const TIMEOUT_MS = 30_000

/**
 * Sends mails through the operator's server, with one connection each. The operator configures the server, so it may
 * have a private address: the guard for targets does not apply.
 */
export function createMailer(
  smtpUrl: string,
  from: string,
  {
    publicUrl = null,
    timeoutMs = TIMEOUT_MS,
    idleMs = IDLE_MS_MAX,
  }: { readonly publicUrl?: string | null; readonly timeoutMs?: number; readonly idleMs?: number } = {},
): Mailer {
  const sender = senderOf(from)
  const name = hostOf(publicUrl, sender.address)
  let opened: Promise<Transport> | null = null
  return {
    async send({ to, id, headers, images = [], ...content }, signal) {
      const timeout = AbortSignal.timeout(timeoutMs)
      opened ??= openTransport(smtpUrl, name, idleMs)
      const transport = await opened
      try {
        const { rejected, accepted } = await transport.sendMail({
          from: sender,
          to: to.length === 1 ? [...to] : sender,
          envelope: { from: sender.address, to: [...to] },
          messageId: `<${id}@${name}>`,
          ...content,
          attachments: images.map(attachmentOf),
          ...(headers && { headers: { ...headers } }),
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        })
        if (rejected.length === 0) return null
        const detail = `The mail server rejected ${rejected.map(String).join(', ')}.`
        return { detail, status: null, reply: '', isPartial: accepted.length > 0 }
      } catch (error) {
        const { message, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError
        return {
          detail: timeout.aborted
            ? `The mail server took longer than ${timeoutMs / 1000} s.`
            : (wrongScheme(message) ??
              `The mail server did not accept the e-mail: ${message ?? 'unknown error'}`),
          status: responseCode ?? null,
          reply: response ?? '',
          isPartial: false,
        }
      }
    },
  }
}

/**
 * The parts of `Review Radar <alerts@example.com>`. The library would read a name with a colon, semicolon or brackets as several addresses.
 */
function senderOf(from: string): { readonly name: string; readonly address: string } {
  const opening = from.endsWith('>') ? from.lastIndexOf('<') : -1
  const [name, address] = opening < 0 ? ['', from] : [from.slice(0, opening), from.slice(opening + 1, -1)]
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

/** What to change when the port speaks TLS from the start and the URL does not, or the other way round; null for another error. */
function wrongScheme(message = ''): string | null {
  if (message.includes('wrong version number'))
    return 'The port of the mail server does not begin with TLS: use smtp:// in RADAR_SMTP_URL, mostly with port 587. It turns TLS on by STARTTLS.'
  if (message.startsWith('Greeting never received'))
    return 'The mail server sent no greeting. If its port begins with TLS, mostly port 465: use smtps:// in RADAR_SMTP_URL.'
  return null
}

/**
 * The name by which this service greets the mail server and ends its Message-IDs: the host of its public URL or, if that is not a domain,
 * the domain of the sender. The name of a container means nothing to others, and spam filters distrust it.
 */
function hostOf(publicUrl: string | null, address: string): string {
  const host = URL.parse(publicUrl ?? '')?.hostname ?? ''
  if (host.includes('.') && isIP(host) === 0) return host
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost'
}

/** Loads the library only for the first mail, because most services send none. */
async function openTransport(url: string, name: string, idleMs: number): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...connectionOf(url),
    name,
    dnsTimeout: idleMs,
    connectionTimeout: idleMs,
    greetingTimeout: idleMs,
    // Later, so that a missing greeting is named as such.
    socketTimeout: idleMs + SOCKET_MARGIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/**
 * A password is never sent without TLS, also when somebody on the way removes STARTTLS, unless the operator accepts it with `?insecure=1`.
 */
function connectionOf(text: string): { readonly url: string; readonly requireTLS: boolean } {
  const url = new URL(text)
  const isInsecure = url.searchParams.get('insecure') === '1'
  // Other parameters would be options of the library.
  url.search = ''
  return { url: url.href, requireTLS: url.protocol === 'smtp:' && url.password !== '' && !isInsecure }
}

function attachmentOf({ cid, name, png }: NonNullable<Mail['images']>[number]) {
  return {
    cid,
    filename: name,
    content: Buffer.from(png),
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
  }
}

type SmtpError = {
  readonly message?: string
  readonly responseCode?: number
  readonly response?: string
}
