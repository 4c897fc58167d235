import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hookView } from '../../src/contract/hook.ts'
import { slackProblemOf } from '../support/chat/slack-rules.ts'
import { publish } from '../support/publish.ts'
import { baseline, waitUntilProcessed } from '../support/radar.ts'
import { startReceiver, type TestReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService({ RADAR_PUBLIC_URL: 'https://radar.example.com' })
after(() => radar[Symbol.asyncDispose]())
const APP = { store: 'apple', appId: '841', market: 'us' } as const
addApp(radar.world, APP)

const SECRET = 'secretSecretSecret'
const RULE = { store: 'apple', app_id: '841', event_type: 'review.created' } as const
const TOKEN = `1234567890:${'a'.repeat(35)}`
const channelOf = (receiver: TestReceiver, team = 'T024') => ({
  webhook_url: `${new URL(receiver.url).origin}/services/${team}/B045/${SECRET}`,
})

test('a review arrives in a channel as a message that Slack accepts, with links to the console and the store', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  slack.answerWith(200, {}, 'ok')
  await alice.client.subscribe({ ...RULE, target_type: 'slack', target_settings: channelOf(slack) })
  await baseline(radar, '841')
  publish(radar, APP, { rating: 2, title: '<!everyone> look' })
  const [request] = await slack.received(1)
  assert.equal(request?.path, `/services/T024/B045/${SECRET}`)
  assert.equal(request?.headers['x-radar-signature'], undefined)
  const payload = JSON.parse(String(request?.body))
  assert.equal(slackProblemOf(payload), null)
  const text = JSON.stringify(payload)
  assert.match(text, /★★☆☆☆/)
  assert.match(text, /https:\/\/radar\.example\.com\/reviews\/[0-9a-f]{64}/)
  assert.match(text, /https:\/\/apps\.apple\.com\/us\/app\/id841/)
})

test('settings are stored sealed and never shown; the fingerprint changes with them', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  const given = { ...RULE, target_type: 'slack', target_settings: channelOf(slack) } as const
  const { id } = await alice.client.subscribe(given)
  const hook = await alice.client.getHook(id)
  assert.equal(hook.target_type, 'slack')
  assert.match(hook.target_fingerprint ?? '', /^[0-9a-f]{16}$/)
  assert.ok(hook.target_url.startsWith('http://127.0.0.1'))
  assert.equal(hook.rate_per_second, 1)
  const stored = await radar.service.storage.hooks.get(alice.accountId, id)
  const listed = (await alice.client.listHooks()).find((each) => each.id === id)
  assert.ok(!JSON.stringify([hook, stored, listed]).includes(SECRET))
  assert.deepEqual(Object.keys(listed ?? {}), Object.keys(hookView.shape), 'the list has no new fields')

  const same = await alice.client.changeHook(id, { target_settings: channelOf(slack) })
  assert.equal(same.target_fingerprint, hook.target_fingerprint)
  const other = await alice.client.changeHook(id, { target_settings: channelOf(slack, 'T999') })
  assert.notEqual(other.target_fingerprint, hook.target_fingerprint)
  const another = await alice.client.subscribe(given)
  const its = await alice.client.getHook(another.id)
  assert.notEqual(its.target_fingerprint, hook.target_fingerprint, 'another hook has another fingerprint')
})

test('a test sends the real message and returns the attempt without secrets', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  slack.answerWith(404, {}, `no_service for /services/T024/B045/${SECRET}`)
  const hook = { ...RULE, target_type: 'slack', target_settings: channelOf(slack) } as const
  const { id } = await alice.client.subscribe(hook)
  const attempt = await alice.client.testHook(id)
  assert.equal(attempt.reason, 'access_revoked')
  assert.match(attempt.detail ?? '', /Create a new one and save its URL/)
  assert.ok(!JSON.stringify(attempt).includes(SECRET))
  const [request] = await slack.received(1)
  assert.equal(slackProblemOf(JSON.parse(String(request?.body))), null)
  assert.equal(attempt.message, String(request?.body))
})

test('a test shows the newest review that matches, with the country that its event has', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  slack.answerWith(200, {}, 'ok')
  const appId = 'com.example.maps'
  addApp(radar.world, { store: 'google', appId })
  const given = {
    ...RULE,
    store: 'google',
    app_id: appId,
    country: 'mx',
    min_stars: 1,
    max_stars: 3,
  } as const
  const { id } = await alice.client.subscribe({
    ...given,
    target_type: 'slack',
    target_settings: channelOf(slack),
  })
  await baseline(radar, appId)
  // A language of Spain, Mexico and others.
  const where = { store: 'google', appId, market: 'es' } as const
  publish(radar, where, { rating: 2, title: null, body: 'Se cierra' })
  publish(radar, where, { rating: 5, title: null, body: 'Muy bien' })
  await waitUntilProcessed(radar, appId)
  const { request_body } = await alice.client.testHook(id)
  const { body, country, subscriber_id } = JSON.parse(request_body ?? '')
  assert.deepEqual([body, country, subscriber_id], ['Se cierra', 'mx', id])
})

test('a channel that is gone makes a dead letter; after new settings its replay arrives', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  slack.answerWith(404, {}, 'channel_not_found')
  const hook = { ...RULE, target_type: 'slack', target_settings: channelOf(slack) } as const
  const { id } = await alice.client.subscribe(hook)
  await baseline(radar, '841')
  publish(radar, APP, { rating: 1, title: 'Lost' })
  type Letter = { event_id: string; hook_id: string; dead_reason: string; attempts: number }
  const [letter] = await until('there is a dead letter', async () => {
    const { data } = await alice.client.call<{ data: Letter[] }>('GET', '/dead-letters')
    return data.length > 0 && data
  })
  assert.deepEqual([letter?.hook_id, letter?.dead_reason, letter?.attempts], [id, 'channel_gone', 1])
  type Detail = { history: readonly { message: string | null }[] }
  const detail = await alice.client.call<Detail>('GET', `/deliveries/${letter?.event_id}`)
  assert.match(detail.history[0]?.message ?? '', /Lost/)
  slack.answerWith(200, {}, 'ok')
  await alice.client.changeHook(id, { target_settings: channelOf(slack, 'T777') })
  await alice.client.call('POST', '/dead-letters/replay', { body: { event_ids: [letter?.event_id] } })
  const requests = await slack.received(2)
  assert.equal(requests[1]?.path, `/services/T777/B045/${SECRET}`)
})

test('a hook becomes a webhook and a channel again', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  const { id, secret } = await alice.client.subscribe({ ...RULE, target_url: slack.url })
  const channel = await alice.client.changeHook(id, {
    target_type: 'slack',
    target_settings: channelOf(slack),
  })
  assert.deepEqual([channel.target_type, channel.rate_per_second], ['slack', 1])
  const webhook = await alice.client.changeHook(id, { target_type: 'webhook', target_url: slack.url })
  assert.deepEqual(
    [webhook.target_type, webhook.target_url, webhook.target_fingerprint, webhook.rate_per_second],
    ['webhook', slack.url, null, null],
  )
  await alice.client.testHook(id)
  const [request] = await slack.received(1)
  assert.ok(secret.startsWith('whsec_') && request?.headers['x-radar-signature'] !== undefined)
})

test('a wrong target gives 400 and names the field, without the value of a setting', async () => {
  const alice = await radar.person('Alice')
  const settings = { webhook_url: 'https://hooks.slack.com/services/T/B/secret' }
  const slack = { ...RULE, target_type: 'slack' } as const
  const bad: readonly [body: object, message: RegExp][] = [
    [RULE, /^target_url is required: it must be an http or https URL\.$/],
    [{ ...RULE, target_type: 'webhook' }, /^target_url is required/],
    [{ ...RULE, target_type: 'irc' }, /^target_type must be "webhook", "slack".*, not "irc"/],
    [slack, /^target_settings is required: it must be an object with the settings of "slack"\.$/],
    [{ ...slack, target_settings: settings.webhook_url }, /^target_settings must be an object/],
    [
      { ...slack, target_settings: { webhook_url: ['secret'] } },
      /^target_settings\.webhook_url must be the URL of an incoming webhook/,
    ],
    [
      { ...RULE, target_type: 'telegram', target_settings: { bot_token: TOKEN, chat_id: '1:secret' } },
      /^target_settings\.chat_id must be the number of a chat/,
    ],
    [
      { ...RULE, target_type: 'http', target_settings: { url: 'https://example.com', headers: 'a: secret' } },
      /^target_settings\.headers must be an object/,
    ],
    [{ ...slack, target_settings: {} }, /^target_settings\.webhook_url is required/],
    [
      { ...slack, target_settings: { webhook_url: 'https://example.com/secret' } },
      /^target_settings\.webhook_url must be/,
    ],
    [
      { ...slack, target_settings: { webhook_url: 'http://10.0.0.1/services/T/B/secret' } },
      /^target_settings\.webhook_url points at 10\.0\.0\.1, a private/,
    ],
    [
      { ...slack, target_settings: settings, target_url: 'https://example.com/' },
      /^target_url must not be given for "slack"/,
    ],
    [
      { ...RULE, target_url: 'https://example.com/', target_settings: settings },
      /^target_settings must not be given/,
    ],
  ]
  for (const [body, message] of bad) {
    const answer = await radar.request('/api/v1/hooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { error } = answer.json() as { error: string }
    assert.equal(answer.status, 400, error)
    assert.match(error, message)
    assert.ok(!error.includes('secret'), error)
  }
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('a schedule collects events into one message', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  slack.answerWith(200, {}, 'ok')
  const hook = { ...RULE, target_type: 'slack', target_settings: channelOf(slack) } as const
  const { id } = await alice.client.subscribe(hook)
  const hour = new Date(radar.clock.now().getTime() - 3_600_000).toISOString().slice(11, 16)
  const later = new Date(radar.clock.now().getTime() + 3_600_000).toISOString().slice(11, 16)
  const { message_schedule: stored } = await alice.client.changeHook(id, {
    message_schedule: { quiet_from: hour, quiet_until: later },
  })
  assert.deepEqual(stored, {
    time_zone: 'UTC',
    every_minutes: null,
    daily_at: null,
    weekday: null,
    quiet_from: hour,
    quiet_until: later,
  })
  await baseline(radar, '841')
  for (const title of ['First', 'Second']) publish(radar, APP, { rating: 2, title })
  await until('both events wait', async () => {
    const { data } = await alice.client.call<{ data: unknown[] }>('GET', '/deliveries')
    return data.length === 2
  })
  assert.equal(slack.requests.length, 0)
  const { message_schedule: changed } = await alice.client.changeHook(id, {
    message_schedule: { every_minutes: 1 },
  })
  assert.equal(changed?.every_minutes, 1)
  const [request] = await slack.received(1)
  assert.match(String(request?.body), /2 new reviews/)
  assert.equal((await alice.client.changeHook(id, { message_schedule: null })).message_schedule, null)
})

test('a wrong schedule names its field', async () => {
  const alice = await radar.person('Alice')
  await using slack = await startReceiver()
  const hook = { ...RULE, target_type: 'slack', target_settings: channelOf(slack) } as const
  const { id } = await alice.client.subscribe(hook)
  await assert.rejects(alice.client.changeHook(id, { message_schedule: { daily_at: '25:00' } }), {
    message: /message_schedule\.daily_at must be a time from 00:00 to 23:59/,
  })
  const webhook = await alice.client.subscribe({ ...RULE, target_url: slack.url })
  await assert.rejects(alice.client.changeHook(webhook.id, { message_schedule: { every_minutes: 5 } }), {
    message: /message_schedule must not be given for a webhook/,
  })
})
