import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { signedIn } from '../support/console-client.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { publish } from '../support/publish.ts'
import { baseline, waitUntilProcessed } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PUBLIC_URL = 'https://radar.example.com'
const APP = { store: 'apple', appId: '844', market: 'us' } as const
const RULE = { store: 'apple', app_id: '844', event_type: 'review.created' } as const
const LEAD = 'lead@example.com'
const TEAM = 'team@example.com'

async function open(settings: Readonly<Record<string, string>> = { RADAR_PUBLIC_URL: PUBLIC_URL }) {
  const mail = await startMailServer()
  after(() => mail[Symbol.asyncDispose]())
  const radar = await startTestService({
    RADAR_SMTP_URL: mail.url,
    RADAR_SMTP_FROM: 'radar@example.com',
    ...settings,
  })
  after(() => radar[Symbol.asyncDispose]())
  addApp(radar.world, APP)
  return { mail, radar }
}

const mailsTo = (mails: readonly ReceivedMail[], address: string) =>
  mails.filter(({ to }) => to.includes(address))

/** The path of the link of a mail, whose long headers are folded. */
function linkIn({ text }: ReceivedMail): string {
  const [, path] = /^List-Unsubscribe: <https:\/\/radar\.example\.com(\/unsubscribe\/[\w.-]+)>\r$/m.exec(
    text.replaceAll(/\r\n[ \t]+/g, ' '),
  ) ?? [null, null]
  assert.ok(path != null, text.slice(0, 1_500))
  return path
}

test('each recipient gets a mail of their own; when one fails, only that one is mailed again', async () => {
  const { mail, radar } = await open()
  const alice = await radar.person('Alice')
  mail.rejectTo(TEAM, 451)
  const hook = { ...RULE, target_type: 'email', target_settings: { to: [LEAD, TEAM] } } as const
  await alice.client.subscribe(hook)
  await baseline(radar, '844')
  publish(radar, APP)
  await mail.received(1)
  type Delivery = { event_id: string; status: string; attempts: number }
  const deliveries = async () => (await alice.client.call<{ data: Delivery[] }>('GET', '/deliveries')).data
  await until('an attempt failed', async () => (await deliveries()).some(({ attempts }) => attempts > 0))
  mail.rejectTo(TEAM, null)
  const [dead] = await until('the delivery ended', async () => {
    const all = await deliveries()
    return all.every(({ status }) => status !== 'pending') && all
  })
  // The waits of this test are short, so the retries may have ended before the server accepted the address.
  if (dead?.status === 'dead')
    await alice.client.call('POST', '/dead-letters/replay', { body: { event_ids: [dead.event_id] } })
  await until('both have the mail', () => mailsTo(mail.mails, TEAM).length === 1)
  await waitUntilProcessed(radar, '844')
  assert.equal(mailsTo(mail.mails, LEAD).length, 1)
  assert.deepEqual(
    mail.mails.map(({ to, text }) => [to, /^To: (.*)\r$/m.exec(text)?.[1]]),
    [
      [[LEAD], LEAD],
      [[TEAM], TEAM],
    ],
  )
  for (const { text } of mail.mails)
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  assert.notEqual(linkIn(mail.mails[0] as ReceivedMail), linkIn(mail.mails[1] as ReceivedMail))

  // A delivery that is sent again after its success goes to everybody.
  const [{ event_id } = { event_id: '' }] = await deliveries()
  await alice.client.call('POST', `/deliveries/${event_id}/resend`, { body: {} })
  await mail.received(4)
})

test('a link unsubscribes its recipient at once; after the last one the destination is paused', async () => {
  const { mail, radar } = await open()
  const ann = await signedIn(radar, 'Ann')
  const { id } = await ann.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'email',
    target_settings: { to: [LEAD, TEAM] },
    watch: { store: 'apple', app_id: '844', event_type: 'review.created' },
  })
  await baseline(radar, '844')
  publish(radar, APP)
  const mails = await mail.received(2)
  const [lead, team] = [LEAD, TEAM].map((address) => linkIn(mailsTo(mails, address)[0] as ReceivedMail))
  const pageOf = () => ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)

  const asked = await radar.request(lead ?? '')
  assert.equal(asked.status, 200)
  assert.match(asked.text, /<form method="post"><button type="submit">Unsubscribe<\/button><\/form>/)
  assert.match(asked.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.ok(!asked.text.includes('example.com'))
  assert.ok((await pageOf()).recipients.every(({ unsubscribedAt }) => unsubscribedAt === null))

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const click = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' }
  const done = await radar.request(lead ?? '', click)
  assert.equal(done.status, 200)
  assert.equal((await radar.request(lead ?? '', click)).text, done.text, 'a second time')
  assert.deepEqual(
    (await pageOf()).recipients.map(({ address, unsubscribedAt }) => [address, unsubscribedAt !== null]),
    [
      [LEAD, true],
      [TEAM, false],
    ],
  )
  publish(radar, APP)
  await mail.received(3)
  await waitUntilProcessed(radar, '844')
  assert.equal(mailsTo(mail.mails, LEAD).length, 1)

  await radar.request(team ?? '', click)
  const paused = await pageOf()
  assert.deepEqual([paused.status, paused.pausedReason], ['paused', 'all_unsubscribed'])
  await assert.rejects(
    ann.fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'active' }),
    /All recipients unsubscribed/,
  )
  await assert.rejects(
    ann.fetchJson('PATCH', `/v1/hooks/${id}`, { target_settings: { to: [LEAD] } }),
    /must have an address that did not unsubscribe/,
  )
  const { data: entries } = await ann.fetchJson<AuditPage>(
    'GET',
    '/v1/audit-log?action=recipient.unsubscribed',
  )
  assert.deepEqual(
    entries.map(({ target, detail, actor }) => [target, detail, actor.kind]),
    [
      [id, `${TEAM}; the destination is paused`, 'none'],
      [id, LEAD, 'none'],
    ],
  )

  const leadId = paused.recipients[0]?.id
  const ask = () => ann.fetchJson('POST', `/destinations/${id}/recipients/${leadId}/subscribe`, {})
  await ask()
  const question = await until('the recipient is asked', () =>
    mailsTo(mail.mails, LEAD).find(({ text }) => text.includes('get these e-mails again')),
  )
  assert.notEqual((await pageOf()).recipients[0]?.unsubscribedAt, null, 'nobody else subscribes them')
  const [, again = ''] =
    /https:\/\/radar\.example\.com(\/unsubscribe\/[\w.-]+)/.exec(question.text.replaceAll('=\r\n', '')) ?? []
  assert.match((await radar.request(again)).text, /<button type="submit">Subscribe again<\/button>/)
  assert.notEqual((await pageOf()).recipients[0]?.unsubscribedAt, null, 'opening the link changes nothing')
  assert.match((await radar.request(again, { method: 'POST' })).text, /You are subscribed/)
  assert.equal((await pageOf()).recipients[0]?.unsubscribedAt, null)
  await assert.rejects(ask(), /This recipient is subscribed/)
  await ann.fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'active' })
  publish(radar, APP)
  await until('the recipient gets mails again', () => mailsTo(mail.mails, LEAD).length === 3)
  await assert.rejects(
    ann.fetchJson('POST', `/destinations/${id}/recipients/0123456789abcdef/subscribe`, {}),
    /no such recipient/,
  )
})

test('a link that was changed is not valid, and one of a deleted destination answers like any other', async () => {
  const { mail, radar } = await open()
  const alice = await radar.person('Alice')
  const hook = { ...RULE, target_type: 'email', target_settings: { to: [LEAD] } } as const
  const { id } = await alice.client.subscribe(hook)
  const { message } = await alice.client.testHook(id)
  assert.match(message ?? '', /^Subject: [^\n]*\n\nTest · ★.*\nUnsubscribe: \S+\/unsubscribe\/\(masked\)\n$/s)
  const [received] = await mail.received(1)
  const link = linkIn(received as ReceivedMail)
  const changed = `${link.slice(0, -4)}${link.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
  for (const method of ['GET', 'POST']) {
    const answer = await radar.request(changed, { method })
    assert.equal(answer.status, 404)
    assert.match(answer.text, /This link is not valid/)
  }
  const done = await radar.request(link, { method: 'POST' })
  const detail = await alice.client.getHook(id)
  assert.equal(detail.paused_reason, 'all_unsubscribed')
  assert.deepEqual(
    detail.unsubscribed_recipients.map(({ address }) => address),
    ['l…@example.com'],
  )
  assert.ok(!JSON.stringify(detail.unsubscribed_recipients).includes(LEAD))
  await alice.client.unsubscribe(id)
  assert.equal((await radar.request(link, { method: 'POST' })).text, done.text)

  let status = 200
  for (let count = 0; count < 200 && status === 200; count += 1) status = (await radar.request(link)).status
  assert.equal(status, 429, 'the pages have a rate limit')
})

test('without a public address, mails have no link to unsubscribe', async () => {
  const { mail, radar } = await open({})
  const alice = await radar.person('Alice')
  const hook = { ...RULE, target_type: 'email', target_settings: { to: [LEAD] } } as const
  const { id } = await alice.client.subscribe(hook)
  await alice.client.testHook(id)
  const [received] = await mail.received(1)
  assert.doesNotMatch(received?.text ?? '', /unsubscribe/i)
})
