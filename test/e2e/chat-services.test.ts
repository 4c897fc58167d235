import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HTTP_PRESETS } from '../../src/contract/http-presets.ts'
import { FAILURE_ANSWERS } from '../support/chat/chat-answers.ts'
import { CHAT_SECRETS, settingsAt, startChatServices } from '../support/chat/chat-services.ts'
import { startMailServer } from '../support/mail-server.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const radar = await startTestService({
  RADAR_PUBLIC_URL: 'https://radar.example.com',
  RADAR_SMTP_URL: mail.url,
  RADAR_SMTP_FROM: 'Review Radar <radar@example.com>',
})
after(() => radar[Symbol.asyncDispose]())
const APP = { store: 'apple', appId: '842', market: 'us' } as const
addApp(radar.world, APP)
const RULE = { store: 'apple', app_id: '842', event_type: 'review.created' } as const

function destinationsAt(url: string): Readonly<Record<string, object>> {
  return { ...settingsAt(url), http: { ...HTTP_PRESETS.ntfy, url: `${url}/` } }
}

test('one review arrives at every service as harmless text', async () => {
  const alice = await radar.person('Alice')
  await using chat = await startChatServices()
  const destinations = Object.entries({ ...destinationsAt(chat.url), email: { to: ['team@example.com'] } })
  for (const [target_type, target_settings] of destinations)
    await alice.client.subscribe({ ...RULE, target_type, target_settings } as Parameters<
      typeof alice.client.subscribe
    >[0])
  await baseline(radar, '842')
  const title = '<!everyone> @everyone **now** [click](https://evil.example) {{title}}'
  publish(radar, APP, { rating: 2, title })
  await until('all services have the message', () => chat.posted.length >= destinations.length - 1)
  for (const { text, mentions, links } of chat.posted) {
    assert.ok(text.replaceAll('\u2060', '').includes(`★★☆☆☆ ${title}`), text)
    assert.deepEqual(mentions, [])
    assert.ok(links.every((link) => /^https:\/\/(?:radar\.example\.com|apps\.apple\.com)\//.test(link)))
  }
  const [received] = await mail.received(1)
  assert.match(received?.text ?? '', /^Auto-Submitted: auto-generated\r$/m)
})

test('a test message shows the meaning of each documented failure, and no secret', async () => {
  const bob = await radar.person('Bob')
  await using chat = await startChatServices()
  for (const [target_type, target_settings] of Object.entries(destinationsAt(chat.url))) {
    const hook = { ...RULE, target_type, target_settings } as Parameters<typeof bob.client.subscribe>[0]
    const { id } = await bob.client.subscribe(hook)
    const accepted = await bob.client.testHook(id)
    assert.equal(accepted.accepted, true, `${target_type}: ${accepted.detail}`)
    // Of a review that the hook matches, not of the invented one.
    assert.match(accepted.message ?? '', /Test · ★★☆☆☆/, target_type)
    assert.doesNotMatch(accepted.message ?? '', /Great until the last update/, target_type)
    // Test messages have a limit per minute, so one failure of each type.
    const [answer, expected] = FAILURE_ANSWERS[target_type]?.[0] ?? []
    assert.ok(answer !== undefined)
    chat.answerOnce(answer)
    const attempt = await bob.client.testHook(id)
    assert.equal(attempt.reason, expected ?? 'http_status', target_type)
    for (const secret of Object.values(CHAT_SECRETS)) assert.ok(!JSON.stringify(attempt).includes(secret))
  }
})
