import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { slackProblemOf } from '../../../../test/support/chat/slack-rules.ts'
import { openSender } from '../../../../test/support/open-sender.ts'
import { openReceiver } from '../../../../test/support/running-flow.ts'
import { sampleEvent } from '../../../contract/sample.ts'
import { silentLog } from '../../../runtime/log.ts'
import { UnsealFailed } from '../../../runtime/seal.ts'
import { enqueue } from '../../../storage/conformance/queue/queue-samples.ts'
import { NOON } from '../../../storage/conformance/samples.ts'

const SECRET_PATH = 'secretSecretSecretSecret'
const BODY = JSON.stringify(sampleEvent('review.created'))

/** A sender with a hook to a channel of a local server, and `count` events for it. */
async function openChannel(
  answer: (response: ServerResponse) => void,
  {
    count = 1,
    openSecret,
  }: { readonly count?: number; readonly openSecret?: (sealed: string) => string } = {},
) {
  const receiver = await openReceiver()
  const sender = await openSender({ ...(openSecret && { openSecret }) })
  receiver.answer = (_, response) => answer(response)
  const url = `${new URL(receiver.url).origin}/services/T024/B045/${SECRET_PATH}`
  const hook = await sender.addHook({
    targetType: 'slack',
    targetUrl: `${new URL(receiver.url).origin}/services/T024…/…`,
    targetSettings: JSON.stringify({ webhook_url: url }),
  })
  const eventIds = await enqueue(sender.storage, [hook], { count, at: NOON, body: BODY })
  return {
    receiver,
    sender,
    hook,
    attempts: async (index = 0) => sender.storage.deliveries.attempts('alice', eventIds[index] ?? ''),
    [Symbol.asyncDispose]: async () => {
      await sender[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('a delivery posts a message that Slack accepts, unsigned, to the URL of the settings', async () => {
  await using channel = await openChannel((response) => response.writeHead(200).end('ok'))
  await channel.sender.drain()
  const [request, ...more] = channel.receiver.received
  assert.ok(request !== undefined && more.length === 0)
  assert.equal(request.path, `/services/T024/B045/${SECRET_PATH}`)
  assert.equal(slackProblemOf(JSON.parse(request.body)), null)
  assert.match(request.body, /Great until the last update/)
  assert.equal(request.headers['x-radar-signature'], undefined)
  assert.equal(request.headers['webhook-signature'], undefined)
  assert.equal((await channel.sender.list())[0]?.status, 'delivered')
})

test('no attempt and no log line contains a secret of the settings, even if the service repeats it', async () => {
  const logged: unknown[] = []
  await using receiver = await openReceiver()
  const note = (event: string, fields: unknown) => void logged.push([event, fields])
  await using sender = await openSender({ log: { ...silentLog, info: note, error: note } })
  receiver.answer = (request, response) =>
    response
      .writeHead(500, { 'x-path': request.path })
      .end(`No handler for ${request.path} in ${receiver.url}`)
  const url = `${new URL(receiver.url).origin}/services/T024/B045/${SECRET_PATH}`
  const targetSettings = JSON.stringify({ webhook_url: url })
  const targetUrl = `${new URL(receiver.url).origin}/services/…`
  const hook = await sender.addHook({ targetType: 'slack', targetUrl, targetSettings })
  const [eventId = ''] = await enqueue(sender.storage, [hook], { at: NOON, body: BODY })
  await sender.drain()
  const [attempt] = await sender.storage.deliveries.attempts('alice', eventId)
  assert.equal(attempt?.url, targetUrl)
  assert.equal(attempt?.httpStatus, 500)
  assert.match(attempt?.responseBody ?? '', /^No handler for \(masked\) in /)
  assert.ok(logged.length > 0)
  assert.ok(!JSON.stringify([attempt, logged]).includes(SECRET_PATH))
})

test('a channel that does not exist any more makes a dead letter at once, with what to do', async () => {
  await using channel = await openChannel((response) => response.writeHead(404).end('channel_not_found'))
  await channel.sender.drain()
  const [delivery] = await channel.sender.list()
  assert.deepEqual([delivery?.status, delivery?.deadReason], ['dead', 'channel_gone'])
  const [attempt] = await channel.attempts()
  assert.equal(attempt?.reason, 'channel_gone')
  assert.match(attempt?.detail ?? '', /^The Slack channel no longer exists\. .* save its URL\.$/)
})

test('a rate limit of the channel holds all deliveries of the hook, and only those', async () => {
  await using channel = await openChannel(
    (response) => response.writeHead(429, { 'retry-after': '40' }).end('rate_limited'),
    { count: 20 },
  )
  await using other = await openReceiver()
  const healthy = await channel.sender.addHook({ targetUrl: other.url })
  await channel.sender.drain()
  const tried = channel.receiver.received.length
  assert.ok(tried <= 8, `${tried} requests: those under way at once`)
  await enqueue(channel.sender.storage, [healthy], { at: NOON })
  await channel.sender.drain()
  assert.equal(other.received.length, 1)
  channel.sender.move(39_000)
  await channel.sender.drain()
  assert.equal(channel.receiver.received.length, tried)
  channel.receiver.answer = (_, response) => response.writeHead(200).end('ok')
  channel.sender.move(60_000)
  await channel.sender.drain()
  assert.ok((await channel.sender.list()).every(({ status }) => status === 'delivered'))
})

test('settings that were sealed under another key use no attempt', async () => {
  const openSecret = () => {
    throw new UnsealFailed('sealed with another key')
  }
  await using channel = await openChannel((response) => response.end(), { openSecret })
  await channel.sender.drain()
  assert.equal(channel.receiver.received.length, 0)
  const [delivery] = await channel.sender.list()
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
})

test('settings are opened once for all attempts, and again after a change', async () => {
  const opened: string[] = []
  const openSecret = (sealed: string) => {
    opened.push(sealed)
    return sealed
  }
  await using channel = await openChannel((response) => response.writeHead(200).end('ok'), {
    count: 5,
    openSecret,
  })
  const { sender, hook, receiver } = channel
  await sender.drain()
  assert.equal(opened.length, 1)
  const targetSettings = hook.targetSettings?.replace('B045', 'B046') ?? null
  await sender.storage.hooks.update('alice', hook.id, { target: { ...hook, targetSettings } })
  await enqueue(sender.storage, [hook], { at: NOON, body: BODY })
  await sender.drain()
  assert.match(receiver.received.at(-1)?.path ?? '', /B046/)
  assert.equal(opened.length, 2)
})

test('settings that do not fit the type any more make a dead letter that says so', async () => {
  await using sender = await openSender()
  const settings = {
    targetType: 'slack',
    targetUrl: 'https://hooks.slack.com/…',
    targetSettings: '{}',
  } as const
  const hook = await sender.addHook(settings)
  const [eventId = ''] = await enqueue(sender.storage, [hook], { at: NOON, body: BODY })
  await sender.drain()
  assert.equal((await sender.list())[0]?.deadReason, 'invalid_request')
  const [attempt] = await sender.storage.deliveries.attempts('alice', eventId)
  assert.match(attempt?.detail ?? '', /settings of the destination are not valid: webhook_url is required/)
})
