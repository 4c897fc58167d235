import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { until } from './until.ts'

export type ReceivedMail = {
  /** The name in EHLO. */
  readonly greeting: string
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

/** A local SMTP server. */
export type MailServer = AsyncDisposable & {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** That arrived in clear. */
  readonly passwords: readonly string[]
  /** Rejects all mail from now on, or accepts it again. */
  readonly rejectAll: (isRejecting: boolean) => void
  /** Rejects mails to this address with this code from now on; null accepts them again. */
  readonly rejectTo: (address: string, code: number | null) => void
  readonly received: (count: number) => Promise<readonly ReceivedMail[]>
}

/** `takesPassword`: any, without TLS. */
export async function startMailServer({ takesPassword = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const passwords: string[] = []
  const rejected = new Map<string, number>()
  let isRejecting = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', ...(takesPassword ? [] : ['AUTH'])],
    onAuth({ password = '' }, _, done) {
      passwords.push(password ?? '')
      done(null, { user: 'radar' })
    },
    onMailFrom: (_, __, done) => done(isRejecting ? new Error('The mailbox is full.') : null),
    onRcptTo({ address }, _, done) {
      const code = rejected.get(address)
      done(code === undefined ? null : Object.assign(new Error('Rejected.'), { responseCode: code }))
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const greeting = session.hostNameAppearsAs
      text(stream).then((content) => {
        const from = mailFrom === false ? '' : mailFrom.address
        mails.push({ greeting, from, to: rcptTo.map(({ address }) => address), text: content })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    passwords,
    rejectAll: (now) => {
      isRejecting = now
    },
    rejectTo: (address, code) => {
      if (code === null) rejected.delete(address)
      else rejected.set(address, code)
    },
    received: (count) =>
      until(`${count} mails have arrived`, () => mails.length >= count && mails.slice(0, count)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
