import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { StatusView } from '../../src/contract/console/status.ts'
import type { AlertsPage } from '../../src/contract/v1/alerts.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { type SignedIn, signedIn } from '../support/console-client.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { publish } from '../support/publish.ts'
import { baseline, waitUntilProcessed } from '../support/radar.ts'
import { addApp, startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const PUBLIC_URL = 'https://radar.example.com'
const APP = { store: 'apple', appId: '845', market: 'us' } as const
const WATCH = { store: 'apple', app_id: '845', event_type: 'review.created' } as const
const LEAD = 'lead@example.com'
const TEAM = 'team@example.com'
const ASKS = /confirm your address/

async function open(settings: Readonly<Record<string, string>> = {}) {
  const mail = await startMailServer()
  after(() => mail[Symbol.asyncDispose]())
  const radar = await startTestService({
    RADAR_SMTP_URL: mail.url,
    RADAR_SMTP_FROM: 'radar@example.com',
    RADAR_PUBLIC_URL: PUBLIC_URL,
    RADAR_MAIL_CONSENT: 'confirm',
    ...settings,
  })
  after(() => radar[Symbol.asyncDispose]())
  addApp(radar.world, APP)
  return { mail, radar, ann: await signedIn(radar, 'Ann') }
}

type Mails = { readonly mails: readonly ReceivedMail[] }

const mailsTo = ({ mails }: Mails, address: string, isAsk: boolean) =>
  mails.filter(({ to, text }) => to.includes(address) && ASKS.test(text) === isAsk)

const asked = async (mail: Mails, address: string, times = 1) =>
  until(`${address} is asked`, () => mailsTo(mail, address, true)[times - 1])

async function confirm(radar: TestService, question: ReceivedMail): Promise<string> {
  const text = question.text.replaceAll('=\r\n', '')
  const [, path = ''] = /https:\/\/radar\.example\.com(\/unsubscribe\/[\w.-]+)/.exec(text) ?? []
  assert.match((await radar.request(path)).text, /<button type="submit">Confirm your address<\/button>/)
  const done = await radar.request(path, { method: 'POST' })
  assert.match(done.text, /You are subscribed/)
  return path
}

function create(ann: SignedIn, to: readonly string[]): Promise<{ id: string }> {
  const body = { target_type: 'email', target_settings: { to }, watch: WATCH }
  return ann.fetchJson('POST', '/destinations', body)
}

test('a new recipient gets nothing but the confirmation until they confirm, and no event is lost meanwhile', async () => {
  const { mail, radar, ann } = await open()
  const { id } = await create(ann, [LEAD, TEAM])
  const page = () => ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
  const question = await asked(mail, LEAD)
  await asked(mail, TEAM)
  await baseline(radar, APP.appId)
  publish(radar, APP)
  await until('the event is held', async () => (await page()).health.pending === 1)
  const held = await page()
  assert.deepEqual([held.status, held.pausedReason], ['paused', 'unconfirmed'])
  assert.ok(held.recipients.every(({ unconfirmedSince }) => unconfirmedSince !== null))
  await assert.rejects(
    ann.fetchJson('PUT', `/v1/hooks/${id}/status`, { status: 'active' }),
    /No recipient has confirmed yet/,
  )
  const incidents = async () => (await ann.fetchJson<StatusView>('GET', '/status')).account
  const [incident] = await incidents()
  assert.match(
    `${incident?.what} ${incident?.effect} ${incident?.action}`,
    /are paused\. 1 event pending\. No recipient has/,
  )
  assert.equal((await ann.request('POST', `/v1/hooks/${id}/test`, {})).status, 409)
  assert.equal(mailsTo(mail, LEAD, false).length, 0)
  const path = await confirm(radar, question)
  await until('the held event arrives', () => mailsTo(mail, LEAD, false).length === 1)
  assert.deepEqual(await incidents(), [])
  assert.deepEqual(
    (await page()).recipients.map(({ unconfirmedSince }) => unconfirmedSince !== null),
    [false, true],
  )
  const detail = await ann.fetchJson<{ unconfirmed_recipients: { address: string }[] }>(
    'GET',
    `/v1/hooks/${id}`,
  )
  assert.deepEqual(
    detail.unconfirmed_recipients.map(({ address }) => address),
    ['t…@example.com'],
  )
  const { data: entries } = await ann.fetchJson<AuditPage>('GET', '/v1/audit-log?action=recipient.subscribed')
  assert.deepEqual(
    entries.map(({ target, detail, actor }) => [target, detail, actor.kind]),
    [[id, `${LEAD}; the destination is resumed`, 'none']],
  )
  publish(radar, APP)
  await until('the next event arrives', () => mailsTo(mail, LEAD, false).length === 2)
  assert.equal(mailsTo(mail, TEAM, false).length, 0)

  // The old link does not subscribe again.
  const [recipient] = (await page()).recipients
  const [sent] = mailsTo(mail, LEAD, false)
  const [, leave = ''] =
    /radar\.example\.com(\/unsubscribe\/[\w.-]+)>/.exec(sent?.text.replaceAll(/\r\n[ \t]+/g, ' ') ?? '') ?? []
  assert.equal((await radar.request(leave, { method: 'POST' })).status, 200)
  assert.equal((await radar.request(path, { method: 'POST' })).status, 200)
  assert.equal((await page()).recipients[0]?.id, recipient?.id)
  assert.notEqual((await page()).recipients[0]?.unsubscribedAt, null)
})

test('a new address of a destination is asked, the others stay subscribed, and the confirmation is sent again a few times', async () => {
  const { mail, radar, ann } = await open()
  const { id } = await create(ann, [LEAD])
  await confirm(radar, await asked(mail, LEAD))
  await ann.fetchJson('PATCH', `/v1/hooks/${id}`, { target_settings: { to: [LEAD, TEAM] } })
  await asked(mail, TEAM)
  await baseline(radar, APP.appId)
  publish(radar, APP)
  await until('the event arrives', () => mailsTo(mail, LEAD, false).length === 1)
  await waitUntilProcessed(radar, APP.appId)
  assert.equal(mailsTo(mail, TEAM, false).length, 0)
  const page = await ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
  assert.equal(page.status, 'active')
  const again = () =>
    ann.request('POST', `/destinations/${id}/recipients/${page.recipients[1]?.id}/subscribe`, {})
  assert.equal((await again()).status, 204)
  await confirm(radar, await asked(mail, TEAM, 2))
  assert.equal((await again()).status, 409)
  let status = 409
  await ann.fetchJson('PATCH', `/v1/hooks/${id}`, { target_settings: { to: [LEAD] } })
  await ann.fetchJson('PATCH', `/v1/hooks/${id}`, { target_settings: { to: [LEAD, TEAM] } })
  for (let count = 0; count < 30 && status !== 429; count += 1) status = (await again()).status
  assert.equal(status, 429)
})

test('an address gets alerts after its owner confirmed, and the test alert asks again', async () => {
  const { mail, radar, ann } = await open()
  const save = (emails: readonly string[]) =>
    ann.fetchJson('PUT', '/v1/alerts', { enabled: true, emails, webhook_url: null })
  const alerts = () => ann.fetchJson<AlertsPage>('GET', '/v1/alerts')
  await save([LEAD])
  await asked(mail, LEAD)
  assert.deepEqual((await alerts()).unconfirmed_emails, [LEAD])
  assert.equal((await ann.request('POST', '/v1/alerts/test', {})).status, 204)
  const question = await asked(mail, LEAD, 2)
  assert.equal(mailsTo(mail, LEAD, false).length, 0)
  await confirm(radar, question)
  assert.deepEqual((await alerts()).unconfirmed_emails, [])
  await save([LEAD, TEAM])
  await asked(mail, TEAM)
  await ann.request('POST', '/v1/alerts/test', {})
  await until('the test alert arrives', () => mailsTo(mail, LEAD, false).length === 1)
  assert.equal(mailsTo(mail, TEAM, false).length, 0)
})

test('a change that would ask more addresses than the account may is refused whole, and a mailbox is one for all its tags', async () => {
  const { mail, radar, ann } = await open()
  const { id } = await create(ann, [LEAD])
  await asked(mail, LEAD)
  const change = (to: readonly string[]) =>
    ann.request('PATCH', `/v1/hooks/${id}`, { target_settings: { to } })
  const people = (round: number) => Array.from({ length: 20 }, (_, n) => `p${round}x${n}@example.org`)
  assert.equal((await change(Array.from({ length: 7 }, (_, n) => `lead+${n}@example.com`))).status, 400)
  assert.equal((await change(people(1))).status, 200)
  assert.equal((await change(people(2))).status, 200)
  const refused = await change(people(3))
  assert.equal(refused.status, 429)
  assert.match(refused.text, /An account is limited to 50 confirmation mails per day/)
  await assert.rejects(create(ann, people(4)), /50 confirmation mails per day/)
  const alerts = { enabled: true, emails: people(5).slice(0, 10), webhook_url: null }
  assert.equal((await ann.request('PUT', '/v1/alerts', alerts)).status, 429)
  assert.deepEqual((await ann.fetchJson<AlertsPage>('GET', '/v1/alerts')).settings.emails, [])
  const { recipients } = await ann.fetchJson<DestinationPage>('GET', `/destinations/${id}`)
  assert.deepEqual(
    recipients.map(({ address }) => address),
    people(2),
  )
  const hook = await radar.service.storage.hooks.get(ann.accountId, id)
  assert.equal(hook?.unsubscribed.length, 20)
  await until('all are asked', () => mail.mails.length === 41)
})

test('without a public address nobody new can be entered, unless recipients need not confirm', async () => {
  const strict = await open({ RADAR_PUBLIC_URL: '' })
  await assert.rejects(create(strict.ann, [LEAD]), /RADAR_PUBLIC_URL/)
  const body = { enabled: true, emails: [LEAD], webhook_url: null }
  await assert.rejects(strict.ann.fetchJson('PUT', '/v1/alerts', body), /RADAR_PUBLIC_URL/)
  const { ann, mail } = await open({ RADAR_PUBLIC_URL: '', RADAR_MAIL_CONSENT: 'off' })
  const { id } = await create(ann, [LEAD])
  await ann.request('POST', `/v1/hooks/${id}/test`, {})
  await until('the mail arrives', () => mailsTo(mail, LEAD, false).length === 1)
})
