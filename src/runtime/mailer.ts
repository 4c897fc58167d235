import { createTransport } from 'nodemailer'

export type Mail = {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The same for every attempt to send a mail, so that mail programs can detect duplicates. */
  readonly id: string
}

export type Mailer = {
  /**
   * Sends a mail. Returns null when the server accepted it, otherwise the problem as a sentence. Rejects only for a
   * bug.
   */
  readonly send: (mail: Mail) => Promise<string | null>
}

const TIMEOUT_MS = 15_000

/**
 * Sends mails through the operator's server, with one connection each. The operator configures the server, so it may
 * have a private address: the guard for targets does not apply.
 */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, id }) {
      const messageId = `<${id}@review-radar>`
      try {
        const sent = await transport.sendMail({ from, to: [...to], subject, text, messageId })
        return sent.rejected.length === 0
          ? null
          : `The mail server rejected ${sent.rejected.map(String).join(', ')}.`
      } catch (error) {
        return `The mail server did not accept the mail: ${error instanceof Error ? error.message : 'unknown error'}`
      }
    },
  }
}
