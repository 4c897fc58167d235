import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recipientIdOf } from '../../src/model/mail-recipient.ts'
import { findings } from './support/browser.ts'
import { openAs, startMailConsole, startSeededConsole } from './support/seeded-console.ts'

test('an owner switches alerts on, gets the secret once, and sends a test alert', async () => {
  await using console = await startMailConsole()
  const { mail, visitor } = console
  const { receiver } = console.seeded
  const { page } = visitor
  await page.goto('/account/alerts')
  const card = page.getByRole('region', { name: 'Alerts', exact: true })
  await card.getByRole('switch', { name: 'Send alerts' }).click({ force: true })
  await card.getByRole('button', { name: 'Save alerts' }).click()
  await card.getByText(/Requires an e-mail address or a URL/).waitFor()
  await card.getByLabel('E-mail addresses').fill('ann@example.com')
  await card.getByLabel('E-mail addresses').press('Enter')
  await card.getByLabel('Webhook URL').fill(receiver.url)
  await card.getByRole('button', { name: 'Save alerts' }).click()
  await card.getByText(/^whsec_/).waitFor()
  await card.getByRole('button', { name: 'Send a test alert' }).click()
  const [sent] = await mail.received(1)
  assert.deepEqual(sent?.to, ['ann@example.com'])
  await receiver.received(1)
  const recent = card.getByRole('table')
  await recent.getByText('Sent').nth(1).waitFor()
  assert.equal(await recent.getByText('Test alert').count(), 2)
  assert.deepEqual(await findings(page), [])
  await page.reload()
  await card.getByText('ann@example.com').waitFor()
  assert.equal(await card.getByText(/^whsec_/).count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('without a mail server the page says what is missing', async () => {
  await using seeded = await startSeededConsole()
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/account/alerts')
  const card = page.getByRole('region', { name: 'Alerts', exact: true })
  await card.getByText(/The operator can set RADAR_SMTP_URL/).waitFor()
  assert.ok(await card.getByLabel('E-mail addresses').isDisabled())
  assert.deepEqual(visitor.errors, [])
})

test('addresses that have not confirmed are shown, and the confirmation is sent again', async () => {
  await using console = await startMailConsole({ RADAR_MAIL_CONSENT: 'confirm' })
  const { mail, seeded, visitor } = console
  const { page } = visitor
  const body = { enabled: true, emails: ['new@example.com'], webhook_url: null }
  await seeded.ann.fetchJson('PUT', '/v1/alerts', body)
  await page.goto('/account/alerts')
  const card = page.getByRole('region', { name: 'Alerts', exact: true })
  await card
    .getByText('These addresses get no alerts until their owners open the link in the confirmation e-mail.')
    .waitFor()
  await mail.received(1)
  await card.getByRole('button', { name: 'Ask again new@example.com' }).click()
  await page.getByText('new@example.com got another e-mail with a link to confirm.').waitFor()
  await mail.received(2)
  assert.deepEqual(await findings(page), [])

  const target = { target_type: 'email', target_settings: { to: ['reader@example.com'] } }
  const { id } = await seeded.ann.fetchJson<{ id: string }>('POST', '/destinations', target)
  await page.goto(`/destinations/${id}`)
  await page.getByText('Paused: no recipient has confirmed').waitFor()
  await page.getByText(/^Not confirmed\. Asked/).waitFor()
  await page.getByRole('button', { name: /^Ask again/ }).click()
  await page.getByText('reader@example.com got another e-mail with a link to confirm.').waitFor()
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})

test('an address that unsubscribed from alerts is shown, and asked to subscribe again', async () => {
  await using console = await startMailConsole()
  const { mail, seeded, visitor } = console
  const { page } = visitor
  const body = { enabled: true, emails: ['reader@example.com', 'team@example.com'], webhook_url: null }
  await seeded.ann.fetchJson('PUT', '/v1/alerts', body)
  await seeded.running.service.storage.alerts.followLink(seeded.ann.accountId, {
    purpose: 'unsubscribe',
    recipient: recipientIdOf(seeded.ann.accountId, 'reader@example.com'),
    at: seeded.running.clock.now(),
  })
  await page.goto('/account/alerts')
  const card = page.getByRole('region', { name: 'Alerts', exact: true })
  await card.getByText('These addresses get no alerts until their owners subscribe again.').waitFor()
  assert.deepEqual(await findings(page), [])
  await card.getByRole('button', { name: 'Ask to subscribe again reader@example.com' }).click()
  await page.getByRole('button', { name: 'Ask to subscribe again', exact: true }).click()
  await page.getByText('reader@example.com got an e-mail with a link to subscribe again.').waitFor()
  await mail.received(1)
  assert.deepEqual(visitor.errors, [])
})
