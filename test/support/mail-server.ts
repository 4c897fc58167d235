import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { until } from './until.ts'

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly text: string }

/** A real SMTP server on this machine. */
export type MailServer = AsyncDisposable & {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** Refuses every mail from now on, or takes them again. */
  readonly refuse: (refusing: boolean) => void
  readonly received: (count: number) => Promise<readonly ReceivedMail[]>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let refusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_, __, done) => done(refusing ? new Error('The mailbox is full.') : null),
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      text(stream).then((content) => {
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ from, to: rcptTo.map(({ address }) => address), text: content })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (now) => {
      refusing = now
    },
    received: (count) =>
      until(`${count} mails arrived`, () => mails.length >= count && mails.slice(0, count)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
