import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { requestTo, send, serve } from '../../../../test/support/local-egress.ts'
import { until } from '../../../../test/support/until.ts'
import { silentLog } from '../../log.ts'
import { openEgressThread } from './open.ts'

const openLocal = () => openEgressThread({ userAgent: 'Test/1', allowCidrs: ['127.0.0.0/8'] }, silentLog)

test('a request and its answer pass between the threads unchanged', async () => {
  const bodies: string[] = []
  await using server = await serve(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    bodies.push(text)
    response.writeHead(201, { 'X-Twice': ['a', 'b'] }).end(`fine \u00e9 ${request.headers['user-agent']}`)
  })
  await using egress = openLocal()
  const answer = await send(egress, server.url, { body: '{"a":"\u{1f986}"}' })
  assert.deepEqual(bodies, ['{"a":"\u{1f986}"}'])
  assert.equal(answer.kind, 'answered')
  if (answer.kind !== 'answered') return
  assert.deepEqual(
    [answer.status, answer.headers['x-twice'], answer.body.toString(), answer.remoteAddress],
    [201, 'a, b', 'fine \u00e9 Test/1', '127.0.0.1'],
  )
  assert.ok(answer.timings.totalMs >= (answer.timings.firstByteMs ?? Number.NaN))
})

test('concurrent requests with bytes or text each get their own answer', async () => {
  await using server = await serve(async (request, response) => {
    for await (const chunk of request) response.write(chunk)
    response.end()
  })
  await using egress = openLocal()
  const texts = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(index)}`)
  const answers = await Promise.all(
    texts.map((text, index) =>
      egress.request(requestTo(server.url, { body: index % 2 === 0 ? text : Buffer.from(text) })),
    ),
  )
  assert.deepEqual(
    answers.map((answer) => answer.kind === 'answered' && answer.body.toString()),
    texts,
  )
})

test('the guard and the limits apply in the thread', async () => {
  await using server = await serve((_request, response) => response.end('x'.repeat(50)))
  await using egress = openLocal()
  const blocked = await egress.request(requestTo('http://10.1.2.3/'))
  assert.equal(blocked.kind === 'failed' && blocked.reason, 'blocked_address')
  const metadata = await egress.request(requestTo('http://169.254.169.254/'))
  assert.equal(metadata.kind === 'failed' && metadata.reason, 'blocked_address')
  const wrong = await egress.request(requestTo('file:///etc/passwd'))
  assert.equal(wrong.kind === 'failed' && wrong.reason, 'invalid_request')
  const cut = await egress.request(requestTo(server.url, { bodyBytesMax: 10 }))
  assert.deepEqual(cut.kind === 'answered' && [cut.truncated, cut.body.length], [true, 10])
})

test('a timeout ends a request in the thread', async () => {
  await using server = await serve(() => {})
  await using egress = openLocal()
  const answer = await egress.request(requestTo(server.url, { timeoutMs: 50 }))
  // A busy machine may not have connected by then. Which phase is named, exchange.test.ts tests.
  assert.match(answer.kind === 'failed' ? answer.reason : answer.kind, /^timeout_(connect|headers)$/)
})

test('a signal ends only its own requests, in every state', async () => {
  let arrived = 0
  await using server = await serve((request, response) => {
    arrived += 1
    if (request.url === '/answers') response.end('ok')
  })
  await using egress = openLocal()
  const hangs = requestTo(server.url)
  const [first, second] = [new AbortController(), new AbortController()]
  const ended = egress.request({ ...hangs, signal: first.signal })
  const other = egress.request({ ...hangs, signal: second.signal })
  await until('both arrived', () => arrived === 2)
  const same = egress.request({ ...hangs, signal: first.signal })
  first.abort()
  const late = egress.request({ ...hangs, signal: first.signal })
  for (const answer of await Promise.all([ended, same, late]))
    assert.equal(answer.kind === 'failed' && answer.reason, 'interrupted')
  const answered = await egress.request({
    ...hangs,
    url: `http://127.0.0.1:${server.port}/answers`,
    signal: second.signal,
  })
  assert.equal(answered.kind, 'answered')
  second.abort()
  const last = await other
  assert.equal(last.kind === 'failed' && last.reason, 'interrupted')
})

test('closing ends open requests and prevents later ones', async () => {
  let arrived = 0
  await using server = await serve(() => {
    arrived += 1
  })
  const egress = openLocal()
  const waits = egress.request(requestTo(server.url))
  await until('it arrived', () => arrived === 1)
  const ordered = egress.request(requestTo(server.url))
  await Promise.all([egress[Symbol.asyncDispose](), egress[Symbol.asyncDispose]()])
  const late = egress.request(requestTo(server.url))
  for (const answer of await Promise.all([waits, ordered, late]))
    assert.equal(answer.kind === 'failed' && answer.reason, 'interrupted')
  const unused = openLocal()
  await unused[Symbol.asyncDispose]()
  const never = await unused.request(requestTo(server.url))
  assert.equal(never.kind === 'failed' && never.reason, 'interrupted')
  assert.ok(arrived <= 2)
})

test('an internal error of the thread rejects only the request that caused it', async () => {
  await using server = await serve((_request, response) => response.end('ok'))
  await using egress = openLocal()
  const uncloneable = egress.request(requestTo(server.url, { headers: { a: (() => {}) as never } }))
  await assert.rejects(uncloneable, { name: 'DataCloneError' })
  const [invalid, other] = await Promise.allSettled([
    egress.request(requestTo(server.url, { timeoutMs: 10n as never })),
    egress.request(requestTo(server.url)),
  ])
  assert.equal(invalid.status === 'rejected' && invalid.reason.name, 'TypeError')
  assert.equal(other.status === 'fulfilled' && other.value.kind, 'answered')
})

test('a crash of the thread is logged, rejects its requests, and the next request starts another thread', async () => {
  const logged: unknown[] = []
  const log = {
    ...silentLog,
    error: (event: string, fields?: object) => void logged.push({ event, ...fields }),
  }
  await using server = await serve((_request, response) => response.end('ok'))
  const allowCidrs = ['nonsense']
  await using egress = openEgressThread({ userAgent: 'Test/1', allowCidrs }, log)
  const both = await Promise.allSettled([1, 2].map(() => egress.request(requestTo(server.url))))
  const [error] = both.map((one) => one.status === 'rejected' && one.reason)
  assert.match(String(error), /nonsense/)
  assert.deepEqual(both[1], { status: 'rejected', reason: error })
  assert.deepEqual(logged, [{ event: 'egress.died', requests: 2, error }])
  allowCidrs[0] = '127.0.0.0/8'
  assert.equal((await send(egress, server.url)).kind, 'answered')
})

/** The exit status of a separate process that runs `code` with an open egress. */
async function statusOf(code: string): Promise<number> {
  const module = JSON.stringify(new URL('./open.ts', import.meta.url).href)
  const program = `import(${module}).then(async ({ openEgressThread }) => {
    const egress = openEgressThread({ userAgent: 'x', allowCidrs: ['127.0.0.0/8'] }, null)
    ${code}
  })`
  const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  return status
}

test('an idle thread does not keep the process alive', async () => {
  await using server = await serve((_request, response) => response.end())
  const request = JSON.stringify(requestTo(server.url))
  assert.equal(await statusOf(''), 0)
  assert.equal(await statusOf(`process.exitCode = (await egress.request(${request})).status`), 200)
  const uncloneable = `egress.request({ ...${request}, headers: { a: () => {} } })`
  assert.equal(await statusOf(`await ${uncloneable}.catch(() => { process.exitCode = 3 })`), 3)
})

test('the process waits until its thread has closed', async () => {
  await using server = await serve(() => {})
  const request = JSON.stringify(requestTo(server.url))
  const closing = `void egress.request(${request})
    setImmediate(async () => {
      await egress[Symbol.asyncDispose]()
      process.exitCode = 7
    })`
  assert.equal(await statusOf(closing), 7)
})
