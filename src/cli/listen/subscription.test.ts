import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { test } from 'node:test'
import { listen } from '../../../test/support/listen.ts'
import { subscribe } from './subscription.ts'

const never = new Promise<void>(() => {})

/** A server that replaces the service, and a subscription to it. */
async function subscribedTo(answer: RequestListener) {
  const listening = await listen(createServer(answer))
  const made = () =>
    subscribe({
      url: listening.url,
      token: 'rsk_1',
      body: {
        target_url: 'http://127.0.0.1:4040',
        store: 'apple',
        app_id: '1',
        event_type: 'review.created',
      },
    })
  return { made, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() }
}

const makesHook: RequestListener = (_, response) => response.end('{"id":"api-1","secret":"whsec_1"}')

test('a second signal ends the wait for the service and reports the remaining hook', async () => {
  await using service = await subscribedTo((request, response) => {
    if (request.method === 'POST') makesHook(request, response)
  })
  const { end } = await service.made()
  await assert.rejects(end(Promise.resolve()), {
    name: 'CommandFailed',
    message:
      /^The hook api-1 was not deleted\. The command ended before .* curl -X DELETE .*\/api\/v1\/hooks\/api-1$/,
  })
})

test('a rejected deletion reports the remaining hook and the reason, safely for a terminal', async () => {
  await using service = await subscribedTo((request, response) => {
    if (request.method === 'POST') makesHook(request, response)
    else response.writeHead(503).end(JSON.stringify({ error: 'The database is away.\u001b[2J' }))
  })
  const { end } = await service.made()
  await assert.rejects(end(never), {
    message: /^The hook api-1 was not deleted\. .*503\): The database is away\.�\[2J/,
  })
})

test('an HTML page at the address of the service is reported as not Review Radar', async () => {
  await using service = await subscribedTo((_, response) => response.end('<html>'))
  await assert.rejects(service.made(), {
    name: 'CommandFailed',
    message: /is not Review Radar \(its answer is not JSON\)\. Set RADAR_URL/,
  })
})
