import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Mailer } from '../../../runtime/mailer.ts'
import { TARGETS } from '../../targets/index.ts'
import type { RecipientMail } from './make-message.ts'
import { sendMails } from './send-mails.ts'

const EVENTS = { bodies: ['{"event_id":"e1"}'], acceptedBy: [[]] }
const MAILS = ['ann', 'ben'].map(
  (recipient): RecipientMail => ({
    recipient,
    address: `${recipient}@example.com`,
    message: {
      kind: 'mail',
      to: [`${recipient}@example.com`],
      subject: 'New review',
      text: 'Fine',
      html: '<p>Fine</p>',
      headers: {},
      images: [],
    },
    events: [0],
  }),
)

/** Sends the mails while the service is aborted: the server accepts those to the recipients of `accepted` before. */
async function sendWhileAborting(accepted: readonly string[]) {
  const abort = new AbortController()
  const mailer: Mailer = {
    send: async ({ to }) => {
      await setImmediate()
      abort.abort()
      const [address = ''] = to
      if (accepted.includes(address)) return null
      return { detail: 'The connection closed.', status: null, reply: '', isPartial: false }
    },
  }
  return sendMails(mailer, TARGETS.email, MAILS, EVENTS, { signal: abort.signal })
}

test('mails that the server accepted during a stop are delivered, others are interrupted', async () => {
  const all = await sendWhileAborting(['ann@example.com', 'ben@example.com'])
  const one = await sendWhileAborting(['ann@example.com'])
  assert.deepEqual([all.outcome.kind, all.acceptedBy], ['accepted', [['ann', 'ben']]])
  assert.equal(one.outcome.kind, 'interrupted')
})
