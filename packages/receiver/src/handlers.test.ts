import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { listen } from '../../../test/support/listen.ts'
import { memoryDedupe } from './dedupe.ts'
import type { WebhookEvent } from './events.ts'
import { expressHandler } from './express.ts'
import { radarWebhook } from './fastify.ts'
import { fetchHandler } from './fetch.ts'
import type { HandlerOptions } from './handle.ts'
import { honoHandler } from './hono.ts'
import { nextHandler } from './next.ts'
import { nodeHandler } from './node.ts'
import { ReceiverError } from './receiver-error.ts'
import { newSecret, sampleEvent, sign } from './testing.ts'

const secret = newSecret()
const event = sampleEvent('review.created', { title: 'Größe 🎈 漢字' })
const body = JSON.stringify(event)

type Post = (init: RequestInit) => Promise<Response>

/** Starts each handler and returns a function that sends it a request. */
const ADAPTERS: Readonly<Record<string, (options: HandlerOptions) => Promise<Post>>> = {
  fetch: async (options) => (init) => fetchHandler(options)(new Request('http://radar.test/', init)),
  hono: async (options) => (init) =>
    honoHandler(options)({ req: { raw: new Request('http://radar.test/', init) } }),
  next: async (options) => (init) => nextHandler(options)(new Request('http://radar.test/', init)),
  node: (options) => served(createServer(nodeHandler(options))),
  express: (options) => served(createServer(expressHandler(options))),
  fastify: async (options) => {
    const app = fastify()
    await app.register(radarWebhook({ path: '/radar', ...options }))
    app.post('/other', async (request) => ({ parsed: request.body }))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    after(() => app.close())
    // Other routes keep their JSON parser.
    const other = await fetch(`${url}/other`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(await other.json(), { parsed: { a: 1 } })
    return (init) => fetch(`${url}/radar`, init)
  },
}

async function served(server: ReturnType<typeof createServer>): Promise<Post> {
  const listening = await listen(server)
  after(() => listening[Symbol.asyncDispose]())
  return (init) => fetch(listening.url, init)
}

for (const [kind, start] of Object.entries(ADAPTERS)) {
  test(`${kind}: processes an event once, rejects a bad request, and answers 500 to a failure`, async () => {
    const events: WebhookEvent[] = []
    const errors: unknown[] = []
    let failure: Error | null = null
    const send = await start({
      secret,
      dedupe: memoryDedupe(),
      onError: (error) => errors.push(error),
      onEvent: async (each) => {
        if (failure !== null) throw failure
        events.push(each)
      },
    })
    const headers = await sign(body, { secrets: [secret] })
    const post = (init: RequestInit) => send({ method: 'POST', body, headers, ...init })

    failure = new Error('the database is down')
    const failed = await post({})
    assert.deepEqual(
      [failed.status, await failed.json()],
      [500, { error: 'The event could not be processed.', code: 'failed' }],
    )
    failure = null
    for (const repeat of ['first', 'again']) {
      const accepted = await post({})
      assert.deepEqual([accepted.status, await accepted.text()], [204, ''], repeat)
    }
    assert.deepEqual(events, [event])

    const unverified = await post({ headers: await sign(body, { secrets: [newSecret()] }) })
    assert.equal(unverified.status, 401)
    assert.equal(((await unverified.json()) as { code: string }).code, 'signature_mismatch')
    const unsigned = await post({ headers: { 'content-type': 'text/plain' } })
    assert.deepEqual(
      [unsigned.status, ((await unsigned.json()) as { code: string }).code],
      [401, 'missing_header'],
    )
    const large = await post({ body: 'x'.repeat(1_048_577) })
    assert.equal(large.status, 413)
    await large.text()
    assert.equal(events.length, 1)
    assert.ok(errors[0] instanceof Error && errors[0].message === 'the database is down')
    assert.ok(errors.slice(1).every((error) => error instanceof ReceiverError))

    if (kind !== 'fastify') {
      const got = await send({ method: 'GET' })
      assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST'])
    }
  })
}

test('a second request for an event in progress gets 503 with Retry-After', async () => {
  const first = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const handle = fetchHandler({
    secret,
    dedupe: memoryDedupe(),
    onEvent: () => {
      started.resolve()
      return first.promise
    },
  })
  const headers = await sign(body, { secrets: [secret] })
  const request = () => new Request('http://radar.test/', { method: 'POST', body, headers })
  const running = handle(request())
  await started.promise
  const second = await handle(request())
  assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '5'])
  first.resolve()
  assert.equal((await running).status, 204)
})

test('a handler uses the raw body that a framework kept, and rejects a parsed body', async () => {
  const headers = await sign(body, { secrets: [secret] })
  const errors: unknown[] = []
  const events: WebhookEvent[] = []
  const receive = expressHandler({
    secret,
    onEvent: (each) => events.push(each),
    onError: (error) => errors.push(error),
  })
  const statusFor = async (before: object) => {
    const request = { method: 'POST', headers, async *[Symbol.asyncIterator]() {}, ...before }
    const answered: number[] = []
    const response = { writeHead: (status: number) => answered.push(status), end: () => {} }
    await receive(request, response)
    return answered[0]
  }
  assert.equal(await statusFor({ body: Buffer.from(body) }), 204)
  assert.equal(await statusFor({ body: event, rawBody: Buffer.from(body) }), 204)
  assert.equal(await statusFor({ body: event }), 500)
  assert.ok(errors[0] instanceof ReceiverError && errors[0].code === 'body_not_raw')
  assert.equal(events.length, 2)
})
