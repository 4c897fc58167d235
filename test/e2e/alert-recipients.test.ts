import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StatusView } from '../../src/contract/console/status.ts'
import type { AlertsPage } from '../../src/contract/v1/alerts.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { alertIdOf } from '../../src/model/alert.ts'
import { signedIn } from '../support/console-client.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const LEAD = 'lead@example.com'
const TEAM = 'team@example.com'

async function open(settings: Readonly<Record<string, string>> = {}) {
  const mail = await startMailServer()
  after(() => mail[Symbol.asyncDispose]())
  const radar = await startTestService({
    RADAR_SMTP_URL: mail.url,
    RADAR_SMTP_FROM: 'radar@example.com',
    RADAR_PUBLIC_URL: 'https://radar.example.com',
    ...settings,
  })
  after(() => radar[Symbol.asyncDispose]())
  const ann = await signedIn(radar, 'Ann')
  return {
    mail,
    radar,
    ann,
    mailsTo: (address: string) => mail.mails.filter(({ to }) => to.includes(address)),
    save: (...emails: string[]) =>
      ann.fetchJson('PUT', '/v1/alerts', { enabled: true, emails, webhook_url: null }),
    alert: () => ann.fetchJson('POST', '/v1/alerts/test', {}),
    page: () => ann.fetchJson<AlertsPage>('GET', '/v1/alerts'),
    incidents: async () => (await ann.fetchJson<StatusView>('GET', '/status')).account,
  }
}

/** The path of the link in a header, which is folded, or in the text, which is quoted-printable. */
function linkIn({ text }: ReceivedMail): string {
  const whole = text.replaceAll(/\r\n[ \t]+/g, ' ').replaceAll('=\r\n', '')
  const [, path] = /https:\/\/radar\.example\.com(\/unsubscribe\/[\w.-]+)/.exec(whole) ?? []
  assert.ok(path, text)
  return path
}

const click = (radar: TestService, path: string) =>
  radar.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })

test('each recipient of an alert gets a mail of their own, and only the one that failed is mailed again', async () => {
  const { mail, radar, mailsTo, save, alert, page } = await open()
  await save(LEAD, TEAM)
  mail.rejectTo(TEAM, 451)
  await alert()
  const [failed] = await until('an attempt failed', async () => {
    const { recent } = await page()
    return recent[0]?.attempts === 1 && recent
  })
  assert.equal(failed?.status, 'pending')
  assert.match(failed?.problem ?? '', /^team@example\.com: /)
  mail.rejectTo(TEAM, null)
  radar.clock.leap(60_000)
  await until('the alert is sent', async () => (await page()).recent[0]?.status === 'sent')
  assert.deepEqual(
    mail.mails.map(({ to, text }) => [to, /^To: (.*)\r$/m.exec(text)?.[1]]),
    [
      [[LEAD], LEAD],
      [[TEAM], TEAM],
    ],
  )
  for (const { text } of mail.mails)
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  const [lead, team] = [LEAD, TEAM].map((address) => mailsTo(address)[0])
  assert.ok(lead && team && linkIn(lead) !== linkIn(team))

  // Rejected for good, so that the alert does not wait for it.
  mail.rejectTo(TEAM, 550)
  await alert()
  const sent = await until('the second alert is sent', async () => {
    const [newest] = (await page()).recent
    return newest?.id !== failed?.id && newest?.status === 'sent' && newest
  })
  assert.match(
    sent.problem ?? '',
    /^team@example\.com: The recipient's mail server does not know this address/,
  )
  assert.equal(mailsTo(LEAD).length, 2)
})

test('whoever unsubscribes from alerts stays so until they subscribe again, also when an owner saves the address again', async () => {
  const { mail, radar, ann, mailsTo, save, alert, page, incidents } = await open()
  await save(LEAD, TEAM)
  await alert()
  await mail.received(2)
  const [first = assert.fail('no mail')] = mailsTo(LEAD)
  const leave = linkIn(first)
  assert.match((await radar.request(leave)).text, /<button type="submit">Unsubscribe<\/button>/)
  assert.deepEqual((await page()).unsubscribed_emails, [], 'opening the link changes nothing')
  const done = await click(radar, leave)
  assert.match(done.text, /You are unsubscribed/)
  assert.equal((await click(radar, leave)).text, done.text, 'a second time')
  await save(TEAM)
  await save('LEAD@example.com', TEAM)
  assert.deepEqual((await page()).unsubscribed_emails, ['LEAD@example.com'])
  await alert()
  await until('the other one is alerted', () => mailsTo(TEAM).length === 2)
  await until('the alert is sent', async () => (await page()).recent.every(({ status }) => status === 'sent'))
  assert.deepEqual(await incidents(), [])

  await click(radar, linkIn(mailsTo(TEAM)[0] ?? assert.fail('no mail')))
  const [incident] = await incidents()
  assert.deepEqual([incident?.what, incident?.page], ['Nobody gets alerts by e-mail.', '/account/alerts'])
  assert.match(incident?.action ?? '', /All recipients of alerts unsubscribed/)
  await assert.rejects(alert(), /All recipients of alerts unsubscribed/)
  const { data: entries } = await ann.fetchJson<AuditPage>(
    'GET',
    '/v1/audit-log?action=recipient.unsubscribed',
  )
  assert.deepEqual(
    entries.map(({ target, detail, actor }) => [target, detail, actor.kind]),
    [
      [null, TEAM, 'none'],
      [null, LEAD, 'none'],
    ],
  )

  const ask = (email: string) => ann.request('POST', '/v1/alerts/ask', { email })
  assert.equal((await ask('lead@EXAMPLE.com')).status, 204)
  const question = await until('the recipient is asked', () =>
    mail.mails.find(({ text }) => text.includes('get these e-mails again')),
  )
  assert.match(question.text, /You unsubscribed from alerts about Review Radar/)
  assert.equal((await page()).unsubscribed_emails.length, 2, 'nobody else subscribes them')
  assert.match((await radar.request(linkIn(question), { method: 'POST' })).text, /You are subscribed/)
  assert.deepEqual((await page()).unsubscribed_emails, [TEAM])
  assert.deepEqual(await incidents(), [])
  assert.equal((await ask(LEAD)).status, 409)
  assert.equal((await ask('nobody@example.com')).status, 404)
  const log = await ann.fetchJson<AuditPage>('GET', '/v1/audit-log?action=recipient.asked')
  assert.deepEqual(
    log.data.map(({ actor, detail }) => [actor.name, detail]),
    [[ann.email, 'lead@EXAMPLE.com']],
  )
  const before = mailsTo('LEAD@example.com').length
  await alert()
  await until('the recipient is alerted again', () => mailsTo('LEAD@example.com').length === before + 1)
})

test('an alert to nobody waits until somebody confirms', async () => {
  const { mail, radar, ann, mailsTo, save, incidents, page } = await open({ RADAR_MAIL_CONSENT: 'confirm' })
  await save(LEAD)
  const [question = assert.fail('no mail')] = await mail.received(1)
  const [incident] = await incidents()
  assert.match(incident?.action ?? '', /No recipient of alerts has confirmed yet/)
  const now = radar.clock.now()
  const cause = { accountId: ann.accountId, kind: 'feed.failing', subject: 'apple' } as const
  const about = { title: 'The App Store fails', text: 'No usable response.', body: '{}' }
  const failing = { ...cause, ...about, since: now, id: alertIdOf(cause, now) }
  await radar.service.storage.alerts.create([failing], now, null)
  const held = await until('the alert is held', async () => {
    const [newest] = (await page()).recent
    return newest !== undefined && newest.attempts > 0 && newest
  })
  assert.deepEqual(
    [held.status, held.problem],
    ['pending', 'No recipient of alerts has confirmed the address yet.'],
  )
  assert.equal(mailsTo(LEAD).length, 1, 'only the question')
  await radar.request(linkIn(question), { method: 'POST' })
  assert.deepEqual(await incidents(), [])
  radar.clock.leap(60_000)
  const [, mailed] = await until('the alert arrives', () => mailsTo(LEAD).length === 2 && mailsTo(LEAD))
  assert.match(mailed?.text ?? '', /The App Store fails/)
  assert.deepEqual((await page()).unconfirmed_emails, [])
})

test('a test alert that would ask too many people takes no permit', async () => {
  const { mail, radar, ann, save } = await open({ RADAR_MAIL_CONSENT: 'confirm' })
  await save(LEAD)
  const [question = assert.fail('no mail')] = await mail.received(1)
  await radar.request(linkIn(question), { method: 'POST' })
  const people = Array.from({ length: 9 }, (_, n) => `p${n}@example.org`)
  for (let round = 0; round < 5; round += 1) {
    await save(LEAD)
    await save(LEAD, ...people)
  }
  await mail.received(46)
  for (let count = 0; count < 8; count += 1) {
    const refused = await ann.request('POST', '/v1/alerts/test', {})
    assert.match(refused.text, /50 confirmation mails per day/)
  }
})
