import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Ledger } from './ledger.ts'

/** Out of sixteen mails. */
const FAILS_ONCE = 3
const SLOW = 4
const SLOW_MS = 100

/** A mail server that records the events of each mail in the ledger. Some mails fail once, some are slow. */
export async function startMailReceiver(ledger: Ledger): Promise<{ readonly url: string } & AsyncDisposable> {
  const failed = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, { envelope }, done) {
      const mail = await text(stream).catch(() => null)
      const [hook = ''] = envelope.rcptTo[0]?.address.split('@') ?? []
      // Long lines of the mail are folded.
      const receipts = mail === null ? null : ledger.receiveMessage(hook, mail.replaceAll('=\r\n', ''))
      if (mail === null || receipts === null) return done(new Error('The mail is not valid.'))
      const id = /^Message-ID: .*$/im.exec(mail)?.[0] ?? ''
      const byte = (createHash('sha256').update(id).digest()[0] ?? 0) % 16
      const isFirst = !failed.has(id)
      failed.add(id)
      const fails = byte < FAILS_ONCE && isFirst
      if (byte < FAILS_ONCE + SLOW) await setTimeout(SLOW_MS)
      for (const receipt of receipts) {
        receipt.endedAtMs = Date.now()
        if (!fails) ledger.accept(receipt)
      }
      done(fails ? new Error('Try again later.') : null)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
