import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recipientIdOf } from '../../src/model/mail-recipient.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { slackProblemOf } from '../../test/support/chat/slack-rules.ts'
import { publish } from '../../test/support/publish.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, startMailConsole, startSeededConsole } from './support/seeded-console.ts'

const SECRET = 'secretSecretSecret'

test('a Slack destination is added with its steps, errors at the field, a preview and a test message', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  receiver.answerWith(200, {}, 'ok')
  await ann.fetchJson('PUT', '/v1/tracked-apps/apple/1000000001', { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/destinations/new')
  await page.getByRole('radio', { name: 'Slack' }).click()
  await page.getByText('Copy the webhook URL.').waitFor()
  await page
    .getByRole('figure', { name: 'Message of a sample event' })
    .getByText(/Great until the last update/)
    .first()
    .waitFor()
  assert.deepEqual(await findings(page), [])

  const add = page.getByRole('button', { name: 'Add destination' })
  await add.click()
  await page.getByText('Enter the webhook URL').waitFor()
  const url = page.getByLabel('Webhook URL')
  await url.fill('https://example.com/hook')
  await page.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: new RegExp(NOTES.name) }).click()
  await add.click()
  await page.getByText(/^Must be the URL of an incoming webhook/).waitFor()
  await url.fill(`${new URL(receiver.url).origin}/services/T024/B045/${SECRET}`)
  await add.click()

  const tests = page.getByRole('region', { name: 'Send a test message' })
  await tests.getByRole('button', { name: 'Send test' }).click()
  await tests.getByText('Accepted, HTTP 200').waitFor()
  await tests
    .getByText(/"rich_text"/)
    .first()
    .waitFor()
  const [request] = await receiver.received(1)
  assert.equal(request?.path, `/services/T024/B045/${SECRET}`)
  assert.equal(slackProblemOf(JSON.parse(String(request?.body))), null)
  assert.equal(await page.getByRole('button', { name: 'Rotate secret' }).count(), 0)
  assert.ok(!(await page.content()).includes(SECRET))
  // The colours of a button under the pointer are not those that people read.
  await page.mouse.move(0, 0)
  assert.deepEqual(await findings(page), [])

  receiver.answerWith(404, {}, 'channel_is_archived')
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  await receiver.received(2)
  await page.goto('/dead-letters')
  await page.getByText('Channel no longer exists').first().waitFor()
  await page.goto('/destinations')
  await page.getByText('Slack', { exact: true }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('settings are changed without entering a secret again', async () => {
  await using console = await startMailConsole()
  const { mail: mails, seeded, visitor } = console
  const { running, ann } = seeded
  const { page } = visitor
  const { id } = await ann.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'email',
    target_settings: { to: ['one@example.com'] },
  })
  await page.goto(`/destinations/${id}`)
  const recipients = page.getByRole('textbox', { name: 'Recipients' })
  assert.equal(await recipients.inputValue(), 'one@example.com')
  await recipients.fill('one@example.com\nnobody')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Must be a list of mail addresses/).waitFor()
  await recipients.fill('one@example.com\ntwo@example.com')
  await page.getByRole('combobox', { name: 'Send', exact: true }).click()
  await page.getByRole('option', { name: 'At most one message per interval' }).click()
  await page.getByLabel('Minutes').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Must be a whole number from 1 to 1440/).waitFor()
  await page.getByRole('combobox', { name: 'Send', exact: true }).click()
  await page.getByRole('option', { name: 'One message a day' }).click()
  await page.getByLabel('Time', { exact: true }).fill('07:30')
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved.').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  const received = await mails.received(2)
  assert.deepEqual(received.map(({ to }) => to.join()).sort(), ['one@example.com', 'two@example.com'])
  const stored = await running.service.storage.hooks.list(ann.accountId)
  assert.equal(stored[0]?.messageSchedule?.dailyAt, '07:30')
  await page.getByText('Accepted for 2 recipients.').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('mail without a mail server, and the preview of a request, say what is missing', async () => {
  await using seeded = await startSeededConsole()
  await seeded.ann.fetchJson('PUT', '/v1/tracked-apps/apple/1000000001', { countries: ['us'] })
  await using visitor = await openAs(seeded.running, seeded.ann)
  const { page } = visitor
  await page.goto('/destinations/new')
  await page.getByRole('radio', { name: 'E-mail' }).click()
  await page.getByLabel('Recipients').fill('team@example.com')
  await page.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: new RegExp(NOTES.name) }).click()
  await page.getByRole('button', { name: 'Add destination' }).click()
  await page.getByText(/this installation has no mail server\. The operator sets RADAR_SMTP_URL/).waitFor()

  await page.getByRole('radio', { name: 'HTTP request' }).click()
  await page.getByRole('button', { name: 'ntfy' }).click()
  await page.getByRole('button', { name: 'Show request' }).click()
  await page.getByText(/POST https:\/\/ntfy\.sh\//).waitFor()
  await page.getByLabel('Body').fill('{"broken": {{title}}')
  await page.getByRole('button', { name: 'Show request' }).click()
  await page.getByText(/must be JSON after it is filled/).waitFor()
  assert.deepEqual(await findings(page), [])
  assert.deepEqual(visitor.errors, [])
})

test('recipients who unsubscribed are shown, and asked by mail to subscribe again', async () => {
  await using console = await startMailConsole()
  const { mail: mails, seeded, visitor } = console
  const { running, ann } = seeded
  const { page } = visitor
  const addresses = ['lead@example.com', 'team@example.com']
  const { id } = await ann.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'email',
    target_settings: { to: addresses },
  })
  const recipients = addresses.map((address) => recipientIdOf(id, address))
  for (const recipient of recipients)
    await running.service.storage.hooks.unsubscribe(ann.accountId, id, {
      recipient,
      recipients,
      at: systemClock.now(),
    })
  await page.goto(`/destinations/${id}`)
  await page.getByText('Paused: all recipients unsubscribed').waitFor()
  const section = page.getByRole('region', { name: 'Recipients' })
  await section
    .getByText(/^Unsubscribed/)
    .first()
    .waitFor()
  assert.deepEqual(await findings(page), [])
  await section.getByRole('button', { name: 'Ask to subscribe again lead@example.com' }).click()
  await page.getByRole('dialog').getByText('They get one e-mail with a link').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Ask to subscribe again' }).click()
  await page.getByText('lead@example.com got an e-mail').waitFor()
  const [mail] = await mails.received(1)
  const [, path] = /(\/unsubscribe\/[\w.-]+)/.exec(mail?.text.replaceAll('=\r\n', '') ?? '') ?? []
  await running.request(path ?? '', { method: 'POST' })
  await page.reload()
  await section.getByText('Subscribed', { exact: true }).waitFor()
  assert.equal(await page.getByText('Paused: all recipients unsubscribed').count(), 0)
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})
