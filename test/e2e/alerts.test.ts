import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { AlertsPage, AlertsSaved } from '../../src/contract/v1/alerts.ts'
import { type SignedIn, signedIn } from '../support/console-client.ts'
import { startMailServer } from '../support/mail-server.ts'
import { publish } from '../support/publish.ts'
import { eventOf, signatureOf, startReceiver } from '../support/receiver.ts'
import { addApp, startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const SETTINGS = {
  RADAR_SMTP_URL: mail.url,
  RADAR_SMTP_FROM: 'Review Radar <alerts@example.com>',
  RADAR_RETRY_WAITS: '10ms,10ms,10ms,10ms',
}
const radar = await startTestService(SETTINGS)
after(() => radar[Symbol.asyncDispose]())

let accounts = 0

/** Creates an account that sends alerts to an e-mail address and a receiver. */
async function alerted(running: TestService = radar) {
  accounts += 1
  const who = await signedIn(running, `Alice${accounts}`)
  const receiver = await startReceiver()
  after(() => receiver[Symbol.asyncDispose]())
  const email = `alerts${accounts}@example.com`
  const settings = { enabled: true, emails: [email], webhook_url: receiver.url }
  const { secret } = await who.fetchJson<AlertsSaved>('PUT', '/v1/alerts', settings)
  assert.ok(secret)
  const mails = () => mail.mails.filter(({ to }) => to.includes(email))
  return {
    who,
    receiver,
    email,
    secret,
    settings,
    mails,
    mailed: (count: number) =>
      until(`${count} mails arrived`, () => mails().length >= count && mails().slice(0, count)),
    page: () => who.fetchJson<AlertsPage>('GET', '/v1/alerts'),
  }
}

/** Creates a destination whose receiver responds with 500. */
async function failing(who: SignedIn, running: TestService = radar) {
  const appId = `com.example.alert${accounts}`
  addApp(running.world, { store: 'google', appId })
  const target = await startReceiver()
  after(() => target[Symbol.asyncDispose]())
  target.answerWith(500)
  const { id } = await who.fetchJson<{ id: string }>('POST', '/destinations', {
    target_url: target.url,
    watch: { store: 'google', app_id: appId, event_type: 'review.created' },
  })
  const review = () => publish(running, { store: 'google', appId, market: 'en' })
  review()
  return { id, target, review }
}

const subjectOf = (text: string) => /^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1]?.replace(/\r\n /g, ' ')

test('a failing destination and its recovery each send an alert by e-mail and by signed webhook', async () => {
  const { who, receiver, secret, mailed, email } = await alerted()
  const { id, target, review } = await failing(who)
  const [first] = await mailed(1)
  assert.equal(first?.from, 'alerts@example.com')
  assert.deepEqual(first?.to, [email])
  assert.match(subjectOf(first?.text ?? '') ?? '', /^Review Radar: Destination is failing: http:/)
  // Long lines are broken by quoted-printable.
  const words = first?.text.replaceAll('=\r\n', '') ?? ''
  assert.match(words, /because an owner of the Review Radar account entered your address/)
  const [posted] = await receiver.received(1)
  assert.ok(posted)
  assert.equal(posted.headers['x-radar-signature'], signatureOf(posted.body, secret))
  new Webhook(secret).verify(posted.body.toString(), posted.headers as Record<string, string>)
  const body = JSON.parse(posted.body.toString())
  assert.deepEqual([body.event_type, body.hook_id, body.target_url], ['destination.failing', id, target.url])
  assert.equal(posted.headers['x-radar-event-id'], body.id)

  target.answerWith(204)
  review()
  const [, second] = await mailed(2)
  assert.match(second?.text ?? '', /recovered/)
  const [, recovered] = await receiver.received(2)
  assert.equal(JSON.parse(recovered?.body.toString() ?? '').event_type, 'destination.recovered')
})

test('an alert is retried until the mail server and the webhook accept it', async () => {
  const { who, receiver, page, mails } = await alerted()
  receiver.answerWith(503)
  mail.rejectAll(true)
  await who.fetchJson('POST', '/v1/alerts/test', {})
  const problems = await until('both channels failed', async () => {
    const { recent } = await page()
    return recent.length === 2 && recent.every(({ attempts }) => attempts === 1) && recent
  })
  assert.deepEqual(
    problems.map(({ status, problem }) => [
      status,
      /HTTP 503|does not know this address/.test(problem ?? ''),
    ]),
    [
      ['pending', true],
      ['pending', true],
    ],
  )
  mail.rejectAll(false)
  receiver.answerWith(204)
  radar.clock.leap(60_000)
  await until('both are sent', async () =>
    (await page()).recent.every(({ status, attempts }) => status === 'sent' && attempts === 2),
  )
  assert.equal(mails().length, 1)
  const [first, second] = receiver.requests
  assert.ok(first && second && first.body.equals(second.body))
  assert.throws(() => eventOf(second), 'a test alert is not an event')
})

test('several nodes send each alert once', async () => {
  await using cluster = await startTestService(SETTINGS, { engine: 'postgres' })
  const { who, receiver, mails, mailed } = await alerted(cluster)
  await using _second = await cluster.startAnother({ RADAR_PORT: '0' })
  await using _third = await cluster.startAnother({ RADAR_PORT: '0' })
  const { target, review } = await failing(who, cluster)
  await mailed(1)
  await receiver.received(1)
  target.answerWith(204)
  review()
  await mailed(2)
  await receiver.received(2)
  const rows = await cluster.service.storage.alerts.list(who.accountId, 100)
  assert.equal(rows.length, 4)
  assert.deepEqual([mails().length, receiver.requests.length], [2, 2])
})

test('an unknown format of a store causes one alert for all its feeds', async () => {
  const { who, receiver, mailed } = await alerted()
  const appId = 'com.example.changed'
  addApp(radar.world, { store: 'google', appId }, undefined, ['us', 'de'])
  const clearFault = radar.world.setFault({ store: 'google', appId }, { kind: 'changed' })
  await who.fetchJson('POST', '/destinations', {
    target_url: receiver.url,
    watch: { store: 'google', app_id: appId, event_type: 'review.created' },
  })
  const [first] = await mailed(1)
  assert.match(subjectOf(first?.text ?? '') ?? '', /Google Play: 1 feed in an unknown format/)
  const [posted] = await receiver.received(1)
  const body = JSON.parse(posted?.body.toString() ?? '')
  assert.deepEqual([body.event_type, body.store], ['feed.changed_format', 'google'])
  assert.equal(body.feeds[0].app_id, appId)
  clearFault()
})

test('only owners change alerts, and the error for an invalid setting names the field', async () => {
  const { who, settings, page } = await alerted()
  const rejected = async (change: object) => {
    const answer = await who.request('PUT', '/v1/alerts', { ...settings, ...change })
    assert.equal(answer.status, 400, answer.text)
    return answer.json<{ error: string }>().error
  }
  assert.match(await rejected({ emails: ['nobody'] }), /^emails must be .* e-mail addresses, not "nobody"\.$/)
  const many = Array.from({ length: 11 }, (_, index) => `a${index}@example.com`)
  assert.match(await rejected({ emails: many }), /^emails must be a list of at most 10 e-mail addresses/)
  const several = await rejected({ enabled: 'yes', emails: ['nobody'] })
  assert.match(several, /enabled must be true or false.*emails must be/)
  assert.match(await rejected({ webhook_url: 'ftp://example.com' }), /webhook_url/)
  assert.match(await rejected({ webhook_url: 'http://169.254.169.254/' }), /webhook_url/)
  assert.match(
    await rejected({ emails: [], webhook_url: null }),
    /enabled.*requires an e-mail address or a URL/,
  )
  assert.deepEqual((await page()).settings, settings)
  const again = await who.fetchJson<AlertsSaved>('PUT', '/v1/alerts', settings)
  assert.equal(again.secret, null, 'the secret is shown once')
  const { secret } = await who.fetchJson<{ secret: string }>('POST', '/v1/alerts/secret', {})
  assert.match(secret, /^whsec_/)
})

test('without a mail server an e-mail address is rejected', async () => {
  await using plain = await startTestService()
  const who = await signedIn(plain, 'Bob')
  const answer = await who.request('PUT', '/v1/alerts', {
    enabled: true,
    emails: ['bob@example.com'],
    webhook_url: null,
  })
  assert.equal(answer.status, 400)
  assert.match(answer.text, /ask the operator to set RADAR_SMTP_URL/)
  assert.equal((await who.request('POST', '/v1/alerts/test', {})).status, 409)
})
