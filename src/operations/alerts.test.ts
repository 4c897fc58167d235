import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testClock } from '../../test/support/clock.ts'
import { alertSealOf } from '../model/alert.ts'
import { createGuard } from '../runtime/egress/guard.ts'
import { silentLog } from '../runtime/log.ts'
import type { Mail } from '../runtime/mailer.ts'
import { createSealer, SEAL_KEY_BYTES } from '../runtime/seal.ts'
import { addPeople } from '../storage/conformance/samples.ts'
import { openSqlite } from '../storage/sqlite/open.ts'
import { type AlertDeps, alertOperations } from './alerts.ts'

const [ANN, BEA] = ['ann@example.com', 'bea@example.com'] as const
const URL = 'https://example.com/alerts'
const FORM = { enabled: true, emails: [ANN], webhookUrl: null }

/** `meanwhile`: once, after a save has read the settings, another request runs. */
async function open() {
  const storage = await openSqlite({ file: ':memory:' })
  await addPeople(storage)
  const sealer = createSealer(Buffer.alloc(SEAL_KEY_BYTES))
  const mails: Mail[] = []
  let interleaved: (() => Promise<unknown>) | null = null
  const deps: AlertDeps = {
    alerts: {
      ...storage.alerts,
      async settings(accountId) {
        const settings = await storage.alerts.settings(accountId)
        const other = interleaved
        interleaved = null
        await other?.()
        return settings
      },
    },
    sealer,
    log: silentLog,
    mailer: {
      async send(mail) {
        mails.push(mail)
        return null
      },
    },
    publicUrl: 'https://radar.example.com',
    mailConsent: 'confirm',
    clock: testClock(),
    guard: createGuard({ allowCidrs: [] }),
    newSecret: randomUUID,
    limits: { testAlert: () => {}, confirmations: () => {} },
    hasMailServer: true,
    testAlert: () => assert.fail('no test is sent'),
    wake: () => {},
  }
  const operations = alertOperations(deps)
  return {
    save: (form: Partial<typeof FORM | { webhookUrl: string }> & { emails?: readonly string[] }) =>
      operations.save('alice', { ...FORM, ...form }),
    newSecret: () => operations.newSecret('alice'),
    asked: () => mails.map(({ to }) => to.join()),
    states: async () =>
      (await operations.show('alice')).recipients.map(({ address, state }) => [address, state]),
    secret: async () => {
      const settings = await storage.alerts.settings('alice')
      return sealer.open(settings?.webhookSecret ?? '', alertSealOf('alice'))
    },
    meanwhile: (other: () => Promise<unknown>) => {
      interleaved = other
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}

test('an unconfirmed address that is saved with other letter case stays unconfirmed, and is not asked again', async () => {
  await using alerts = await open()
  await alerts.save({})
  await alerts.save({ emails: ['Ann@example.com'] })
  assert.deepEqual(await alerts.states(), [['Ann@example.com', 'unconfirmed']])
  assert.deepEqual(alerts.asked(), [ANN])
})

test('a form that still lists an unconfirmed address that somebody removes meanwhile does not subscribe it', async () => {
  await using alerts = await open()
  await alerts.save({ emails: [ANN, BEA] })
  alerts.meanwhile(() => alerts.save({ emails: [ANN] }))
  await alerts.save({ emails: [ANN, BEA] })
  assert.deepEqual(await alerts.states(), [
    [ANN, 'unconfirmed'],
    [BEA, 'unconfirmed'],
  ])
})

test('a saved form keeps the signing secret that somebody replaces meanwhile', async () => {
  await using alerts = await open()
  assert.equal(await alerts.save({ webhookUrl: URL }), await alerts.secret())
  let replaced: string | null = null
  alerts.meanwhile(async () => {
    replaced = await alerts.newSecret()
  })
  assert.equal(await alerts.save({ webhookUrl: URL }), null)
  assert.equal(await alerts.secret(), replaced)
})

test('of two forms with the first URL, the one whose signing secret is stored shows it', async () => {
  await using alerts = await open()
  let first: string | null = null
  alerts.meanwhile(async () => {
    first = await alerts.save({ webhookUrl: URL })
  })
  assert.equal(await alerts.save({ webhookUrl: URL }), null)
  assert.equal(await alerts.secret(), first)
})
