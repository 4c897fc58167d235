import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AlertsSaved } from '../../src/contract/v1/alerts.ts'
import { createServiceAccount } from '../../src/simulate/official/connect.ts'
import { signedIn } from '../support/console-client.ts'
import { startMailServer } from '../support/mail-server.ts'
import { signatureOf, startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const radar = await startTestService({
  RADAR_SMTP_URL: mail.url,
  RADAR_SMTP_FROM: 'Review Radar <alerts@example.com>',
})
after(() => radar[Symbol.asyncDispose]())
const { world, clock } = radar
const APP = { store: 'google', appId: 'com.example.larkspur' } as const
const HOUR_MS = 3_600_000
addApp(world, APP)

test('a connection to Google Play that stops working causes an alert, and another one before reviews get lost', async () => {
  const alice = await signedIn(radar, 'Alice')
  await using receiver = await startReceiver()
  const settings = { enabled: true, emails: ['alice@example.com'], webhook_url: receiver.url }
  const { secret } = await alice.fetchJson<AlertsSaved>('PUT', '/v1/alerts', settings)
  const file = createServiceAccount(world, { appIds: [APP.appId] })
  const { id } = await alice.fetchJson<{ id: string }>('POST', '/v1/store-connections', {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [APP.appId],
  })
  await alice.fetchJson('PUT', `/v1/tracked-apps/google/${APP.appId}`, { countries: ['us'] })
  await alice.fetchJson('PUT', `/v1/store-connections/${id}/apps/${APP.appId}`, {})
  const source = async () => (await radar.service.storage.reviewSources.list(alice.accountId))[0]
  await until('the first check succeeded', async () => (await source())?.state === 'official')
  world.official.removeServiceAccount(file.client_email)

  const alerts = async (count: number) => {
    const posted = (await receiver.received(count))[count - 1]
    assert.ok(posted)
    assert.equal(posted.headers['x-radar-signature'], signatureOf(posted.body, secret ?? ''))
    const text = await until('the mail arrived', () => mail.mails[count - 1]?.text)
    return { body: JSON.parse(posted.body.toString()), text }
  }
  clock.leap(HOUR_MS)
  await until('a check failed', async () => (await source())?.failingSince !== null)
  const lastOkAt = (await source())?.lastOkAt
  assert.ok(lastOkAt)
  clock.leap(5 * HOUR_MS)
  const first = await alerts(1)
  assert.equal(first.body.event_type, 'connection.failing')
  assert.equal(first.body.connection_id, id)
  assert.match(first.text, /Subject: Review Radar: Google Play: 1 app without a successful check/)

  clock.leap(5 * 24 * HOUR_MS)
  const second = await alerts(2)
  assert.equal(second.body.event_type, 'connection.losing_reviews')
  assert.equal(second.body.reviews_lost_after, new Date(lastOkAt.getTime() + 7 * 24 * HOUR_MS).toISOString())
  assert.match(second.body.action, /^Before .* UTC, correct the problem above, or open Stores/)
  assert.match(second.text, /What to do: Before/)
  assert.equal((await radar.service.storage.alerts.list(alice.accountId, 10)).length, 4)
})
