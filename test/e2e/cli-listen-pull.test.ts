import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { radarSignature } from '../../src/model/signature.ts'
import { freePort } from '../support/free-port.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { type RunningCommand, radarCommand, startRadar } from '../support/radar-command.ts'
import { startReceiver } from '../support/receiver.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The service may not send to this machine. */
const radar = await startTestService({ RADAR_ALLOW_TARGET_CIDRS: '' })
after(() => radar[Symbol.asyncDispose]())

const PLACE = { store: 'apple', market: 'us' } as const
const as = ({ token }: Person, url = radar.url) => ({ RADAR_URL: url, RADAR_TOKEN: token })

/** Starts `radar listen`. Resolves once it pulls. */
async function listening(words: readonly string[], settings: Record<string, string>) {
  const running = startRadar(['listen', ...words], settings)
  await until('it pulled', () => {
    if (running.process.exitCode !== null) throw new Error(`radar listen ended: ${running.err()}`)
    return /from now on\n/.test(running.out() + running.err())
  }).catch((error: unknown) => {
    running.process.kill('SIGKILL')
    throw error
  })
  return { ...running, [Symbol.dispose]: () => void running.process.kill('SIGKILL') }
}

async function stopped(running: RunningCommand, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  running.process.kill(signal)
  const [status] = await once(running.process, 'close')
  return status
}

const eventLines = ({ out }: RunningCommand) =>
  out()
    .split('\n')
    .filter((line) => /^\d\d:\d\d:\d\dZ /.test(line))

test('--app shows new events without a receiver and deletes its hook at the end', async () => {
  const alice = await radar.person('Alice')
  for (const [appId, signal] of [
    ['811', 'SIGINT'],
    ['812', 'SIGHUP'],
  ] as const) {
    addApp(radar.world, { ...PLACE, appId })
    using running = await listening(['--app', `apple/${appId}`, '--max-stars', '2', '--test'], as(alice))
    const [hook] = await alice.client.listHooks()
    assert.deepEqual([hook?.target_url, hook?.external_ref, hook?.max_stars], ['pull:', 'radar listen', 2])
    await until('the test event is shown', () => eventLines(running).length === 1)
    await baseline(radar, appId)
    publish(radar, { ...PLACE, appId }, { rating: 5, title: 'Filtered' })
    publish(radar, { ...PLACE, appId }, { rating: 1, title: 'Crashes \u009b2J' })
    const [, line] = await until('the event is shown', () => {
      const lines = eventLines(running)
      return lines.length === 2 && lines
    })
    assert.match(line ?? '', /Z {2}review\.created {2}★☆☆☆☆ .*“Crashes �2J” {2}[0-9a-f]{64}$/)
    assert.equal(await stopped(running, signal), 0, running.err())
    assert.match(running.out(), /^2 events\.$/m)
    assert.deepEqual(await alice.client.listHooks(), [])
  }
})

test('the deliveries of a hook with the target pull: succeed without a request', async () => {
  const alice = await radar.person('Alice')
  const app = { ...PLACE, appId: '813' }
  addApp(radar.world, app)
  const { id } = await alice.client.subscribe({
    target_url: 'pull:',
    store: 'apple',
    app_id: '813',
    event_type: 'review.created',
  })
  await baseline(radar, '813')
  publish(radar, app, { rating: 3, title: 'Pulled' })
  const { deliveries } = radar.service.storage
  const [delivered] = await until('the event is delivered', async () => {
    const list = await deliveries.list(
      alice.accountId,
      { hookId: id, status: 'delivered' },
      { limit: 2, before: null },
    )
    return list.length === 1 && list
  })
  assert.deepEqual([delivered?.attempts, delivered?.lastHttpStatus], [1, null])
  const tested = await alice.client.testHook(id)
  assert.deepEqual([tested.accepted, tested.http_status], [true, null])
  assert.match(tested.detail ?? '', /no request was sent\. Test events cannot be pulled\.$/)
  const { data } = await alice.client.listEvents({ hook_id: id })
  assert.deepEqual(
    data.map((event) => event.event_id),
    [delivered?.eventId],
  )
})

test('--forward posts each event, signed with the secret of the hook, until it is accepted', async () => {
  const alice = await radar.person('Alice')
  const app = { ...PLACE, appId: '814' }
  addApp(radar.world, app)
  const port = await freePort()
  using running = await listening(
    ['--app', 'apple/814', '--json', '--forward', `http://127.0.0.1:${port}/x`],
    as(alice),
  )
  const secret = await until(
    'the secret is printed',
    () => /signed with (whsec_\S+)$/m.exec(running.err())?.[1],
  )
  await baseline(radar, '814')
  publish(radar, app, { rating: 3, title: 'One' })
  await until('the failure is reported', () => /\(ECONNREFUSED\)\. Next attempt in 1 s\./.test(running.err()))
  publish(radar, app, { rating: 4, title: 'Two' })
  assert.equal(running.out(), '')

  const requests: { body: Buffer; signature: unknown; agent: unknown }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { 'x-radar-signature': signature, 'user-agent': agent } = request.headers
    requests.push({ body, signature, agent })
    response.writeHead(requests.length === 1 ? 503 : 204).end()
  }).listen(port, '127.0.0.1')
  try {
    const lines = await until('both are forwarded', () => {
      const lines = running.out().trim().split('\n')
      return lines.length === 2 && lines.map((line) => JSON.parse(line))
    })
    assert.deepEqual(
      lines.map(({ status, event }) => [status, event.title]),
      [
        [204, 'One'],
        [204, 'Two'],
      ],
    )
    assert.match(running.err(), /\(HTTP 503\)\. Next attempt in /)
    const titles = requests.map(({ body }) => JSON.parse(body.toString()).title)
    assert.deepEqual(titles, ['One', 'One', 'Two'])
    for (const { body, signature, agent } of requests) {
      assert.equal(signature, radarSignature(secret, body))
      assert.match(String(agent), /^ReviewRadar\/\d/)
    }
    assert.equal(await stopped(running), 0, running.err())
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('listen without --app shows the events of all hooks, and an interrupted forward resumes at its event', async () => {
  const alice = await radar.person('Alice')
  const app = { ...PLACE, appId: '815' }
  addApp(radar.world, app)
  for (const external_ref of ['a', 'b'])
    await alice.client.subscribe({
      target_url: 'pull:',
      store: 'apple',
      app_id: '815',
      event_type: 'review.created',
      external_ref,
    })
  await baseline(radar, '815')
  await using receiver = await startReceiver()
  const first = await listening(['--forward', receiver.url], as(alice))
  publish(radar, app, { rating: 3, title: 'One' })
  await until('both hooks have the event', () => eventLines(first).length === 2)
  receiver.answerWith(500)
  publish(radar, app, { rating: 3, title: 'Two' })
  await until('a failure is reported', () => /\(HTTP 500\)\. Next/.test(first.err()))
  assert.equal(await stopped(first), 0, first.err())
  const [, cursor = ''] = /--after (\d+)$/m.exec(first.out()) ?? []

  receiver.answerWith(204)
  const forwarded = receiver.requests.length
  using rest = startRadarEvents(cursor, receiver.url, as(alice))
  await until('the remaining events are forwarded', () => receiver.requests.length === forwarded + 2)
  const titles = receiver.requests.slice(forwarded).map(({ body }) => JSON.parse(body.toString()).title)
  assert.deepEqual(titles, ['Two', 'Two'])
  await stopped(rest)
})

function startRadarEvents(after: string, forward: string, settings: Record<string, string>) {
  const running = startRadar(['events', '--follow', '--after', after, '--forward', forward], settings)
  return { ...running, [Symbol.dispose]: () => void running.process.kill('SIGKILL') }
}

test('an error in the token, the service or an option is one sentence', async () => {
  const alice = await radar.person('Alice')
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['--app', 'apple/1'], { RADAR_URL: radar.url }, 1, /This command requires an API token in RADAR_TOKEN/],
    [[], { RADAR_URL: radar.url, RADAR_TOKEN: 'rsk_wrong' }, 1, /rejected the token/],
    [[], as(alice, 'http://127.0.0.1:9'), 1, /^radar listen: The service at .* does not respond/],
    [['--forward', 'localhost:3000'], as(alice), 2, /--forward must be an http or https URL/],
    [['--forward', 'http://localhost:1/', '--status', '500'], as(alice), 2, /leave out --status/],
    [['--target-url', 'http://localhost:1/'], as(alice), 2, /--target-url requires --app/],
  ]
  for (const [words, settings, status, sentence] of cases) {
    const result = await radarCommand(['listen', ...words], settings)
    assert.deepEqual([result.status, result.out], [status, ''], result.err)
    assert.match(result.err, sentence)
  }
  assert.deepEqual(await alice.client.listHooks(), [])
})
