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
  }: { readonly publicUrl?: string | null; readonly timeoutMs?: number } = {},
): Mailer {
  const name = hostOf(publicUrl, from)
  let opened: Promise<Transport> | null = null
  return {
    async send({ to, id, headers, images = [], ...content }, signal) {
      const timeout = AbortSignal.timeout(timeoutMs)
      opened ??= openTransport(smtpUrl, name)
      const transport = await opened
      try {
        const { rejected, accepted } = await transport.sendMail({
          from,
          to: to.length === 1 ? [...to] : from,
          envelope: { from, to: [...to] },
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
            : `The mail server did not accept the e-mail: ${message ?? 'unknown error'}`,
          status: responseCode ?? null,
          reply: response ?? '',
          isPartial: false,
        }
      }
    },
  }
}

/**
 * The name by which this service greets the mail server and ends its Message-IDs: the host of its public URL or, if that is not a domain,
 * the domain of the sender. The name of a container means nothing to others, and spam filters distrust it.
 */
function hostOf(publicUrl: string | null, from: string): string {
  const host = URL.parse(publicUrl ?? '')?.hostname ?? ''
  if (host.includes('.') && isIP(host) === 0) return host
  return domainToASCII(/@([^@<>\s]+)>?$/.exec(from)?.[1] ?? '') || 'localhost'
}

/** Loads the library only for the first mail, because most services send none. */
async function openTransport(url: string, name: string): Promise<Transport> {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...connectionOf(url),
    name,
    dnsTimeout: IDLE_MS_MAX,
    connectionTimeout: IDLE_MS_MAX,
    greetingTimeout: IDLE_MS_MAX,
    socketTimeout: IDLE_MS_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** A password is never sent without TLS, also when somebody on the way removes STARTTLS, unless the operator accepts it with `?insecure=1`. */
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
