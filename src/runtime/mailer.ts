import { createTransport } from 'nodemailer'

export type Mail = {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The same for every try of one mail, so that a mail program can tell a repetition. */
  readonly id: string
}

export type Mailer = {
  /** Null once the server has taken the mail; otherwise what went wrong, a sentence. Rejects only for a bug. */
  readonly send: (mail: Mail) => Promise<string | null>
}

const TIMEOUT_MS = 15_000

/**
 * Mail through the operator's server, a connection for each. The server is a setting of the operator, as the database is: it
 * may be on a private address, so the guard for targets does not apply.
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
          : `The mail server refused ${sent.rejected.map(String).join(', ')}.`
      } catch (error) {
        return `The mail server did not take the mail: ${error instanceof Error ? error.message : 'unknown error'}`
      }
    },
  }
}
