import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slackProblemOf } from '../../../../test/support/chat/slack-rules.ts'
import { openSender } from '../../../../test/support/open-sender.ts'
import { openReceiver } from '../../../../test/support/running-flow.ts'
import { sampleEvent } from '../../../contract/sample.ts'
import type { MessageSchedule } from '../../../model/message-schedule.ts'
import { enqueue } from '../../../storage/conformance/queue/queue-samples.ts'
import { NOON } from '../../../storage/conformance/samples.ts'
import { MANUAL_LANE_CHANGES } from '../manual-lane-changes.ts'

const BODY = JSON.stringify(sampleEvent('review.created'))
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AT_ONCE: MessageSchedule = {
  timeZone: 'UTC',
  everyMinutes: null,
  dailyAt: null,
  weekday: null,
  quiet: null,
  sinceMs: NOON.getTime(),
}

/** A sender with a channel that has a schedule. Its time starts at noon in UTC. */
async function openScheduled(schedule: Partial<MessageSchedule>) {
  const receiver = await openReceiver()
  const sender = await openSender()
  receiver.answer = (_, response) => response.writeHead(200).end('ok')
  const hook = await sender.addHook({
    targetType: 'slack',
    targetUrl: 'https://hooks.slack.com/…',
    targetSettings: JSON.stringify({
      webhook_url: `${new URL(receiver.url).origin}/services/T024/B045/secretSecretSecret`,
    }),
    messageSchedule: { ...AT_ONCE, ...schedule },
  })
  return {
    receiver,
    sender,
    hook,
    add: (count: number) => enqueue(sender.storage, [hook], { count, at: sender.now(), body: BODY }),
    statuses: async () => Object.groupBy(await sender.list(), ({ status }) => status),
    /** Moves the time and sends what is due, at most an hour at once: a lane is read again at least that often. */
    wait: async (ms: number) => {
      for (let left = ms; left > 0; left -= HOUR) {
        sender.move(Math.min(left, HOUR))
        await sender.drain()
      }
    },
    [Symbol.asyncDispose]: async () => {
      await sender[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

test('at most one message is sent in ten minutes, and shows all events since', async () => {
  await using channel = await openScheduled({ everyMinutes: 10 })
  const { receiver, sender } = channel
  await channel.add(1)
  await sender.drain()
  assert.equal(receiver.received.length, 1)
  await channel.wait(MINUTE)
  await channel.add(3)
  await channel.wait(8 * MINUTE)
  assert.equal(receiver.received.length, 1)
  await channel.wait(MINUTE)
  assert.equal(receiver.received.length, 2)
  const payload = JSON.parse(receiver.received[1]?.body ?? '')
  assert.equal(slackProblemOf(payload), null)
  assert.match(JSON.stringify(payload), /3 new reviews/)
  assert.equal((await channel.statuses()).delivered?.length, 4)
})

test('one message a day settles all that wait, and a night without events sends none', async () => {
  await using channel = await openScheduled({ dailyAt: '09:00' })
  const { receiver, sender } = channel
  const ids = await channel.add(5)
  await sender.drain()
  await channel.wait(20 * HOUR)
  assert.equal(receiver.received.length, 0)
  await channel.wait(HOUR)
  assert.equal(receiver.received.length, 1)
  assert.equal((await channel.statuses()).delivered?.length, 5)
  const records = await Promise.all(ids.map((id) => sender.storage.deliveries.attempts('alice', id)))
  assert.deepEqual(
    records.map((attempts) => attempts.map(({ number, httpStatus }) => [number, httpStatus])),
    ids.map(() => [[1, 200]]),
  )
  await channel.wait(30 * HOUR)
  assert.equal(receiver.received.length, 1)
})

test('quiet hours hold messages until their end', async () => {
  await using channel = await openScheduled({ quiet: { from: '11:00', until: '14:00' } })
  await channel.add(2)
  await channel.wait(HOUR + 59 * MINUTE)
  assert.equal(channel.receiver.received.length, 0)
  await channel.wait(MINUTE)
  assert.equal(channel.receiver.received.length, 1)
  await channel.add(1)
  await channel.sender.drain()
  assert.equal(channel.receiver.received.length, 2)
})

test('a failed message counts once for the breaker, and is tried again with later events', async () => {
  await using channel = await openScheduled({ dailyAt: '13:00' })
  const { receiver, sender } = channel
  receiver.answer = (_, response) => response.writeHead(503).end()
  await channel.add(30)
  await channel.wait(HOUR)
  assert.equal(receiver.received.length, 1)
  assert.deepEqual(
    await sender.storage.maintenance.notices('alice', { hookId: channel.hook.id, limit: 9 }),
    [],
  )
  receiver.answer = (_, response) => response.writeHead(200).end('ok')
  await channel.add(1)
  await channel.wait(MINUTE)
  assert.ok(receiver.received.length >= 2)
  await channel.wait(2 * MINUTE)
  assert.equal((await channel.statuses()).delivered?.length, 31)
  assert.ok((await sender.list()).every(({ attempts }) => attempts <= 2))
})

test('more events than one message shows go out in further ones, all settled', async () => {
  await using channel = await openScheduled({ everyMinutes: 10 })
  await channel.add(150)
  await channel.sender.drain()
  await channel.wait(5 * 1000)
  const sent = channel.receiver.received.length
  assert.ok(sent >= 2 && sent <= 4, `${sent} messages`)
  assert.deepEqual(Object.keys(await channel.statuses()), ['delivered'])
  await channel.add(1)
  await channel.wait(9 * MINUTE)
  assert.equal(channel.receiver.received.length, sent)
  await channel.wait(MINUTE)
  assert.equal(channel.receiver.received.length, sent + 1)
})

test('events that the claim of other hooks left no room for do not wait for the next day', async () => {
  await using channel = await openScheduled({ dailyAt: '13:00' })
  const { sender, hook } = channel
  const { targetType, targetUrl, targetSettings, messageSchedule } = hook
  const other = await sender.addHook({ targetType, targetUrl, targetSettings, messageSchedule })
  for (const each of [hook, other])
    await enqueue(sender.storage, [each], { count: 40, at: sender.now(), body: BODY })
  await channel.wait(HOUR)
  assert.deepEqual(Object.keys(await channel.statuses()), ['delivered'])
  assert.equal(channel.receiver.received.length, 3)
})

test('a message of a killed process is sent again after its lease', async () => {
  await using channel = await openScheduled({ everyMinutes: 10 })
  const { sender, receiver } = channel
  await channel.add(3)
  const { deliveries } = sender.storage
  const settle = deliveries.settle
  Object.assign(deliveries, { settle: () => new Promise(() => {}) })
  await sender.loop.pass(new AbortController().signal)
  while (receiver.received.length === 0) await new Promise(setImmediate)
  Object.assign(deliveries, { settle })
  await using restarted = await openSender({ storage: sender.storage, startAt: sender.now() })
  restarted.move(2 * MINUTE)
  await restarted.drain()
  assert.equal(receiver.received.length, 2)
  assert.equal((await channel.statuses()).delivered?.length, 3)
})

test('a manual retry does not wait for the schedule', async () => {
  await using channel = await openScheduled({ dailyAt: '09:00' })
  const { sender, hook } = channel
  const [eventId = ''] = await channel.add(2)
  await sender.drain()
  assert.equal(channel.receiver.received.length, 0)
  const now = sender.now()
  await sender.storage.deliveries.retryNow('alice', eventId, now)
  await sender.storage.deliveries.changeLanes('alice', [hook.id], now, (lane) =>
    MANUAL_LANE_CHANGES.halfOpen(lane, now),
  )
  await sender.drain()
  assert.equal((await channel.statuses()).delivered?.length, 2)
  await channel.add(1)
  await sender.drain()
  assert.equal(channel.receiver.received.length, 1, 'the schedule counts again')
})

test('a weekly message shows the events of the whole week, although their retries would be over', async () => {
  await using channel = await openScheduled({ dailyAt: '12:00', weekday: 7 })
  const { receiver, sender } = channel
  const { deliveries } = sender.storage
  await channel.add(2)
  for (let days = 0; days < 7; days += 1) {
    await channel.wait(24 * HOUR)
    assert.equal(await deliveries.sweepExpired(sender.now(), HOUR, 100), 0, `expired on day ${days + 1}`)
  }
  assert.equal(receiver.received.length, 1)
  assert.equal((await channel.statuses()).delivered?.length, 2)
})
