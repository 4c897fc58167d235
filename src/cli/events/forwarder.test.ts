import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/support/clock.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { sampleEvent } from '../../contract/sample.ts'
import { newSecret } from '../../model/signature.ts'
import { parseArguments } from '../command.ts'
import { events } from '../commands/events.ts'
import { createForwarder } from './forwarder.ts'

const event = sampleEvent('review.created')
const never = new AbortController().signal

test('an event that the program rejects six times is skipped, and each attempt reports it', async () => {
  await using program = await startReceiver()
  program.answerWith(500)
  const lines: string[] = []
  const io = { environment: {}, err: (text: string) => void lines.push(text) }
  const args = parseArguments(events, ['--forward', program.url])
  const forwarder = createForwarder(io, args, newSecret, testClock({ sleepMsMax: 1 }))
  assert.deepEqual(await forwarder?.forward(event, never), { kind: 'skipped', status: 500 })
  assert.equal(program.requests.length, 6)
  assert.deepEqual(lines, [
    ...[1, 2, 4, 8, 15].map(
      (seconds) =>
        `Event ${event.event_id} was not accepted (HTTP 500). Next attempt in ${seconds} s. It is skipped after 6 such answers.\n`,
    ),
    `SKIPPED: event ${event.event_id} was not accepted in 6 attempts (HTTP 500).\n`,
  ])

  program.answerWith(204)
  assert.deepEqual(await forwarder?.forward(event, never), { kind: 'accepted', status: 204 })
})

test('an event is not skipped while the program does not answer', async () => {
  const lines: string[] = []
  const stop = new AbortController()
  const io = {
    environment: {},
    err: (text: string) => {
      if (lines.push(text) === 20) stop.abort()
    },
  }
  const args = parseArguments(events, ['--forward', 'http://127.0.0.1:9'])
  const forwarder = createForwarder(io, args, newSecret, testClock({ sleepMsMax: 1 }))
  assert.deepEqual(await forwarder?.forward(event, stop.signal), { kind: 'interrupted' })
  assert.equal(lines.length, 20)
  assert.doesNotMatch(lines.join(''), /skipped/i)
})
