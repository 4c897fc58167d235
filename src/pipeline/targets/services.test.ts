import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURE_ANSWERS } from '../../../test/support/chat/chat-answers.ts'
import { CHAT_SECRETS, settingsAt, startChatServices } from '../../../test/support/chat/chat-services.ts'
import {
  contextWith,
  dropWith,
  recoveryWith,
  reviewWith,
  spikeWith,
} from '../../../test/support/chat/message-events.ts'
import { openLocal } from '../../../test/support/local-egress.ts'
import { startMailServer } from '../../../test/support/mail-server.ts'
import { HTTP_PRESETS } from '../../contract/http-presets.ts'
import type { FormattedTargetType } from '../../model/target.ts'
import { createMailer } from '../../runtime/mailer.ts'
import { TARGETS } from './index.ts'
import type { Message, TargetAnswer } from './target.ts'

/** Messages of each type, sent through the egress to local servers that behave as the services document. */
async function openServices() {
  const services = await startChatServices()
  const egress = openLocal()
  return {
    services,
    send: async (message: Message): Promise<TargetAnswer> => {
      assert.ok(message.kind === 'http')
      const { body, ...request } = message
      const answer = await egress.request({
        ...request,
        ...(body !== null && { body }),
        timeoutMs: 60_000,
        bodyBytesMax: 65_536,
      })
      assert.ok(answer.kind === 'answered', JSON.stringify(answer))
      return { status: answer.status, headers: answer.headers, body: answer.body.toString('utf8') }
    },
    settingsOf: (type: FormattedTargetType, changes: object = {}) => {
      const given: Record<string, object> = {
        ...settingsAt(services.url),
        http: { ...HTTP_PRESETS.ntfy, url: `${services.url}/` },
      }
      return TARGETS[type].settings.parse({ ...given[type], ...changes })
    },
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]()
      await services[Symbol.asyncDispose]()
    },
  }
}

const OVER_HTTP = ['slack', 'discord', 'telegram', 'teams', 'http'] as const

for (const type of OVER_HTTP) {
  const target = TARGETS[type]

  test(`${type}: the service accepts every type of event and digests`, async () => {
    await using chat = await openServices()
    const settings = chat.settingsOf(type)
    const items = Array.from({ length: 80 }, (_, index) => ({
      event: index % 9 === 0 ? dropWith() : index === 1 ? spikeWith() : reviewWith(),
      context: contextWith(),
    }))
    for (const message of [
      target.message(reviewWith(), settings, contextWith()),
      target.message(
        reviewWith({ title: null, body: '', author: null, enrichment: null }),
        settings,
        contextWith(),
      ),
      target.message(dropWith(), settings, contextWith({ appName: null, storeUrl: null, consoleUrl: null })),
      target.message(spikeWith(), settings, contextWith()),
      target.message(recoveryWith(), settings, contextWith()),
      target.digest(items, settings, contextWith()),
    ]) {
      const { status, body } = await chat.send(message)
      assert.ok(status >= 200 && status <= 299, `${status} ${body}`)
    }
    assert.equal(chat.services.posted.length, 6)
    assert.match(chat.services.posted[0]?.text ?? '', /★★★☆☆ Great until the last update/)
    assert.match(
      chat.services.posted[5]?.text ?? '',
      /70 new reviews, 3\.0 stars on average · 1 spike of negative reviews · 9 rating drops/,
    )
  })

  test(`${type}: each documented failure has its meaning`, async () => {
    await using chat = await openServices()
    const settings = chat.settingsOf(type)
    for (const [answer, expected] of FAILURE_ANSWERS[type] ?? []) {
      chat.services.answerOnce(answer)
      const failure = target.failureOf(await chat.send(target.message(reviewWith(), settings, contextWith())))
      const meaning = failure === null ? null : failure.kind === 'wait' ? failure.afterMs : failure.reason
      assert.equal(meaning, expected, answer.body)
      if (failure?.kind === 'permanent') assert.match(failure.detail, /^[A-Z].*\.$/)
    }
    assert.equal(chat.services.posted.length, 0)
  })
}

test('a wrong secret is an access that was revoked', async () => {
  await using chat = await openServices()
  const settings = settingsAt(chat.services.url)
  for (const type of ['slack', 'discord', 'telegram', 'teams'] as const) {
    const wrong: unknown = JSON.parse(
      JSON.stringify(settings[type]).replaceAll(
        CHAT_SECRETS[type],
        CHAT_SECRETS[type].replace(/secret/gi, 'Wrong1'),
      ),
    )
    const target = TARGETS[type]
    const message = target.message(reviewWith(), target.settings.parse(wrong), contextWith())
    const failure = target.failureOf(await chat.send(message))
    assert.equal(failure?.kind === 'permanent' && failure.reason, 'access_revoked', type)
  }
})

test('Apprise accepts the messages of its preset', async () => {
  await using chat = await openServices()
  const settings = chat.settingsOf('http', {
    ...HTTP_PRESETS.apprise,
    url: `${chat.services.url}/notify/key`,
  })
  assert.equal((await chat.send(TARGETS.http.message(reviewWith(), settings, contextWith()))).status, 200)
})

test('a mail arrives with its subject, both forms and its headers', async () => {
  await using server = await startMailServer()
  const message = TARGETS.email.message(
    reviewWith({ title: 'x\r\nBcc: victim@example.com' }),
    TARGETS.email.settings.parse({ to: ['team@example.com', 'lead@example.com'] }),
    contextWith({ unsubscribeUrl: 'https://radar.example.com/unsubscribe/abc' }),
  )
  assert.ok(message.kind === 'mail')
  const failure = await createMailer(server.url, 'radar@example.com').send({ ...message, id: 'event-1' })
  assert.equal(failure, null)
  const [mail] = await server.received(1)
  assert.deepEqual(mail?.to, ['team@example.com', 'lead@example.com'])
  const headers = mail?.text.split('\r\n\r\n')[0] ?? ''
  assert.doesNotMatch(headers, /^bcc:/im)
  assert.match(headers, /^List-Unsubscribe: <https:\/\/radar\.example\.com\/unsubscribe\/abc>\r$/m)
  assert.match(headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  assert.match(headers, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(headers, /^Content-Type: multipart\/alternative;/m)
  assert.match(headers, /^Subject: =\?UTF-8\?/m)
})

test('a mailbox that does not exist is a permanent failure', async () => {
  await using server = await startMailServer()
  server.rejectAll(true)
  const message = TARGETS.email.message(
    dropWith(),
    TARGETS.email.settings.parse({ to: ['team@example.com'] }),
    contextWith(),
  )
  assert.ok(message.kind === 'mail')
  const failure = await createMailer(server.url, 'radar@example.com').send({ ...message, id: 'event-2' })
  assert.ok(failure !== null && failure.status !== null)
  const named = TARGETS.email.failureOf({ status: failure.status, headers: {}, body: failure.reply })
  assert.equal(named?.kind === 'permanent' && named.reason, 'channel_gone')
})
