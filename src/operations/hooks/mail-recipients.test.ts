import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/support/clock.ts'
import { withUnconfirmed } from '../../model/hook-change.ts'
import { recipientIdOf, UNSUBSCRIBED_MAX, type Unsubscribed } from '../../model/mail-recipient.ts'
import { silentLog } from '../../runtime/log.ts'
import { newRecipients } from './mail-recipients.ts'

const ID = 'hook_1'
const AT = new Date('2026-03-01')
const [ANN, BEN, CARL] = ['ann@example.com', 'ben@example.com', 'carl@example.com'] as const

const deps = {
  sealer: { keyId: 'key', seal: (text: string) => text, open: (text: string) => text },
  log: silentLog,
  limits: { confirmations: () => {} },
  mailer: null,
  publicUrl: 'https://radar.example.com',
  mailConsent: 'confirm',
  clock: testClock(),
} as const

const left = (address: string): Unsubscribed => ({ recipient: recipientIdOf(ID, address), at: AT })
const waiting = (address: string): Unsubscribed => ({ ...left(address), unconfirmed: true })
const hookTo = (to: readonly string[], unsubscribed: readonly Unsubscribed[] = []) =>
  ({ id: ID, targetType: 'email', targetSettings: JSON.stringify({ to }), unsubscribed }) as const

const change = (from: readonly string[], to: readonly string[], unsubscribed: readonly Unsubscribed[]) => {
  const recipients = newRecipients(deps, hookTo(from, unsubscribed), hookTo(to, unsubscribed))
  assert.ok(recipients.change)
  return { ...recipients, change: recipients.change }
}

test('a removed address that never confirmed is forgotten, and one that left is not', () => {
  const stored = [waiting(ANN), left(BEN)]
  const { change: removal } = change([ANN, BEN], [CARL], stored)
  assert.deepEqual(
    withUnconfirmed(stored, removal).map(({ recipient }) => recipient),
    [BEN, CARL].map((address) => recipientIdOf(ID, address)),
  )
})

test('an address that unsubscribed is not asked when it is added again', () => {
  assert.deepEqual(change([CARL], [CARL, ANN, BEN], [left(BEN)]).addresses, [ANN])
})

test('an address that another request removes meanwhile is not subscribed without its confirmation', () => {
  const stored = [waiting(ANN)]
  const { change: kept } = change([ANN], [ANN, CARL], stored)
  const meanwhile = withUnconfirmed(stored, change([ANN], [BEN], stored).change)
  const unconfirmed = withUnconfirmed(meanwhile, kept).map(({ recipient }) => recipient)
  assert.ok(unconfirmed.includes(recipientIdOf(ID, ANN)))
})

test('a destination with too many unsubscribed addresses accepts no new ones', () => {
  const everybody = Array.from({ length: UNSUBSCRIBED_MAX }, (_, n) => left(`p${n}@example.com`))
  assert.throws(() => change([ANN], [ANN, BEN], everybody), { code: 'conflict' })
  assert.deepEqual(change([ANN, BEN], [ANN], everybody).addresses, [])
})
