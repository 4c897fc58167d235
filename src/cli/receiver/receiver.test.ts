import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { sampleEvent } from '../../contract/sample.ts'
import { newSecret, signatureHeaders } from '../../model/signature.ts'
import { systemClock } from '../../runtime/clock.ts'
import { type Received, type ReceiverOptions, startReceiver } from './receiver.ts'

const SECRET = newSecret()

async function started(change: Partial<ReceiverOptions> = {}) {
  const received: Received[] = []
  const receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    secretOf: () => SECRET,
    status: 200,
    clock: systemClock,
    onReceived: (each) => received.push(each),
    ...change,
  })
  const post = async (body: string, headers = signed(body), path = '/') => {
    const answer = await fetch(receiver.url + path, { method: 'POST', body, headers })
    return { status: answer.status, text: await answer.text() }
  }
  return { received, post, url: receiver.url, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

function signed(body: string): Record<string, string> {
  return signatureHeaders({
    secrets: [SECRET],
    eventId: 'e'.repeat(64),
    body: Buffer.from(body),
    at: new Date(),
  })
}

const event = sampleEvent('review.created')

test('a valid event is accepted with its unknown fields, and a repeat is detected', async () => {
  await using receiver = await started({ status: 202 })
  const body = JSON.stringify({ ...event, later: 1 })
  assert.deepEqual(await receiver.post(body), { status: 202, text: '' })
  assert.deepEqual(await receiver.post(body), { status: 202, text: '' })
  const [first, second] = receiver.received
  assert.deepEqual([first?.isRepeat, second?.isRepeat], [false, true])
  assert.deepEqual([first?.signature, first?.refusal, first?.event], ['verified', null, event])
  assert.deepEqual(first?.payload, { ...event, later: 1 })
})

test('a rejected event is reported with the reason and does not count as received', async () => {
  await using receiver = await started()
  const body = JSON.stringify(event)
  const missing = await receiver.post(body, {})
  assert.equal(missing.status, 401)
  assert.equal(missing.text, `${receiver.received[0]?.refusal}\n`)
  assert.deepEqual([receiver.received[0]?.signature, receiver.received[0]?.event], ['wrong', event])
  for (const [wrong, sentence] of [
    ['<html>', /The body is not JSON\./],
    ['{"event_type":"review.created"}', /The body is not an event: id: /],
    ['null', /The body is not an event/],
  ] as const) {
    const { status, text } = await receiver.post(wrong)
    assert.equal(status, 400)
    assert.match(text, sentence)
  }
  await receiver.post(body)
  assert.equal(receiver.received.at(-1)?.isRepeat, false)
})

test('without a secret no signature is checked, and a path without a hook is rejected', async () => {
  await using receiver = await started({ secretOf: (path) => (path === '/hook' ? null : undefined) })
  const body = JSON.stringify(event)
  assert.equal((await receiver.post(body, {}, '/hook?x=1')).status, 200)
  assert.equal(receiver.received[0]?.signature, 'unchecked')
  assert.equal((await receiver.post(body, {}, '/other')).status, 404)
})

test('only POST is accepted, with a body of at most 1 MiB', async () => {
  await using receiver = await started()
  const got = await fetch(receiver.url)
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
  const fits = JSON.stringify({ ...event, body: 'x'.repeat(900_000) })
  assert.equal((await receiver.post(fits)).status, 200)
  assert.equal((await receiver.post('x'.repeat(1_048_577))).status, 413)
  assert.equal((await receiver.post('x'.repeat(20_000_000))).status, 413)
})

test('an incomplete request is reported, and the next one is accepted', async () => {
  await using receiver = await started()
  const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\n{')
  socket.destroy()
  await until('the event arrived', () => receiver.received.length === 1)
  assert.match(receiver.received[0]?.refusal ?? '', /^The connection closed/)
  assert.equal((await receiver.post(JSON.stringify(event))).status, 200)
})
