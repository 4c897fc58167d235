import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sampleEvent } from '../../src/contract/sample.ts'
import { newSecret, signatureHeaders } from '../../src/model/signature.ts'
import type { Person } from '../support/people.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { type RunningCommand, radarCommand, startRadar } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'radar-listen-'))
after(() => rmSync(folder, { recursive: true }))

const SECRET = newSecret()
const SECRET_FILE = join(folder, 'secret')
writeFileSync(SECRET_FILE, `${SECRET}\n`)
const PLACE = { store: 'apple', market: 'us' } as const

/** Starts `radar listen` on a free port. Resolves with its URL once it listens. */
async function listening(words: readonly string[], settings: Record<string, string> = {}) {
  const running = startRadar(['listen', '--port', '0', ...words], settings)
  const url = await until('it listened', () => {
    if (running.process.exitCode !== null) throw new Error(`radar listen ended: ${running.err()}`)
    return /^Receiver +(http:\S+)\n(?:.+\n)*Signatures /m.exec(running.out() + running.err())?.[1]
  }).catch((error: unknown) => {
    running.process.kill('SIGKILL')
    throw error
  })
  return { ...running, url, [Symbol.dispose]: () => void running.process.kill('SIGKILL') }
}

async function stopped(running: RunningCommand, signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
  running.process.kill(signal)
  const [status] = await once(running.process, 'close')
  return status
}

const as = ({ token }: Person, url = radar.url) => ({ RADAR_URL: url, RADAR_TOKEN: token })
/** Lines of requests, which start with the time. */
const linesOf = ({ out }: RunningCommand) =>
  out()
    .split('\n')
    .filter((line) => /^\d\d:\d\d:\d\dZ /.test(line))

test('with --app a new review is printed as verified on one line, and the hook is always deleted at the end', async () => {
  const alice = await radar.person('Alice')
  for (const [appId, signal] of [
    ['801', 'SIGINT'],
    ['802', 'SIGTERM'],
    ['803', 'SIGHUP'],
  ] as const) {
    addApp(radar.world, { ...PLACE, appId })
    using running = await listening(['--app', `apple/${appId}`, '--country', 'us'], as(alice))
    const [hook] = await alice.client.listHooks()
    assert.deepEqual([hook?.app_id, hook?.country, hook?.external_ref], [appId, 'us', 'radar listen'])
    assert.ok(running.out().includes(`${hook?.id} of ${radar.url}`), running.out())
    await baseline(radar, appId)
    publish(radar, { ...PLACE, appId }, { rating: 2, title: 'Crashes \u009b2J' })
    const [line] = await until('a line is printed', () => linesOf(running).length > 0 && linesOf(running))
    assert.match(
      line ?? '',
      new RegExp(
        `  200  verified   review\\.created  ★★☆☆☆ +apple ${appId} us +“Crashes �2J”  [0-9a-f]{64}$`,
      ),
    )
    assert.equal(await stopped(running, signal), 0, running.err())
    assert.match(running.out(), /^1 event, 0 repeated, 0 rejected\.$/m)
    assert.deepEqual(await alice.client.listHooks(), [])
  }
})

test('with --json and --test standard output has only the event, like the sample', async () => {
  const alice = await radar.person('Alice')
  using running = await listening(
    ['--app', 'google/org.example.a', '--event', 'rating.dropped', '--json', '--test'],
    as(alice),
  )
  const [hook] = await alice.client.listHooks()
  assert.deepEqual([hook?.delta, hook?.threshold], [0, null])
  const line = await until('a line is printed', () => running.out().endsWith('\n') && running.out())
  const { status, verified, repeated, refusal, event } = JSON.parse(line)
  assert.deepEqual([status, verified, repeated, refusal], [200, true, false, null])
  assert.deepEqual([event.event_type, event.subscriber_id], ['rating.dropped', hook?.id])
  assert.equal(await stopped(running), 0)
  assert.equal(running.out().trim().split('\n').length, 1)
})

test('--status 500 makes the service retry the same event until it is a dead letter', async () => {
  const alice = await radar.person('Alice')
  const app = { ...PLACE, appId: '804' }
  addApp(radar.world, app)
  using running = await listening(
    ['--app', 'apple/804', '--event', 'rating.dropped', '--status', '500'],
    as(alice),
  )
  await baseline(radar, '804')
  radar.world.setRating({ ...app, storefront: 'us' }, { average: '4.4', count: 1_001 })
  const { deadLetters: dead } = radar.service.storage
  await until('the event is a dead letter', async () => (await dead.count(alice.accountId, {})) === 1)
  const lines = await until('all attempts are shown', () => linesOf(running).length === 3 && linesOf(running))
  assert.match(lines[0] ?? '', / {2}500 {2}verified .* 4\.50→4\.40 .*1001 ratings {2}[0-9a-f]{64}$/)
  for (const line of lines.slice(1)) assert.match(line, / {2}repeated {2}[0-9a-f]{64}$/)
  assert.equal(new Set(lines.map((line) => line.slice(-64))).size, 1)
  assert.equal(await stopped(running), 0)
})

test('with a secret, signed events are accepted and all others rejected with the reason', async () => {
  const body = JSON.stringify(sampleEvent('review.created'))
  const signed = (secret: string) =>
    signatureHeaders({ secrets: [secret], eventId: 'e'.repeat(64), body: Buffer.from(body), at: new Date() })
  for (const [words, settings] of [
    [['--secret-file', SECRET_FILE], {}],
    [[], { RADAR_LISTEN_SECRET: SECRET }],
    [[], { RADAR_LISTEN_SECRET_FILE: SECRET_FILE }],
  ] as const) {
    using running = await listening(words, settings)
    const answers: [RequestInit, number, RegExp][] = [
      [{ method: 'POST', body, headers: signed(SECRET) }, 200, /^$/],
      [{ method: 'POST', body, headers: signed(newSecret()) }, 401, /another secret/],
      [{ method: 'POST', body: body.replace('Great', 'Bad'), headers: signed(SECRET) }, 401, /changed/],
      [{ method: 'POST', body }, 401, /x-radar-signature is missing/],
      [{ method: 'GET' }, 405, /Only POST/],
    ]
    for (const [request, status, sentence] of answers) {
      const answer = await fetch(running.url, request)
      const text = await answer.text()
      assert.equal(answer.status, status, text)
      assert.match(text, sentence)
    }
    const lines = await until('all requests are shown', () => {
      const lines = linesOf(running)
      return lines.length === answers.length && lines
    })
    for (const [index, [, status, sentence]] of answers.entries()) {
      assert.ok(
        lines[index]?.includes(status === 200 ? '  200  verified ' : `  ${status}  REJECTED  `),
        lines[index],
      )
      if (status !== 200) assert.match(lines[index] ?? '', sentence)
    }
    assert.equal(await stopped(running), 0)
    assert.match(running.out(), /^1 event, 0 repeated, 4 rejected\.$/m)
  }
})

test('listen without a secret warns that signatures are not checked and accepts every event', async () => {
  using running = await listening([])
  assert.match(running.out(), /^Signatures +not checked; set the secret/m)
  const body = JSON.stringify(sampleEvent('review.created'))
  assert.equal((await fetch(`${running.url}/any/path`, { method: 'POST', body })).status, 200)
  await until('the request is shown', () => / {2}200 {2}unchecked /.test(running.out()))
  assert.equal(await stopped(running), 0)
})

test('a failed test event is reported, and listening continues', async () => {
  const alice = await radar.person('Alice')
  const away = 'http://127.0.0.1:9/'
  using running = await listening(['--app', 'apple/805', '--test', '--target-url', away], as(alice))
  assert.equal((await alice.client.listHooks())[0]?.target_url, away)
  await until('the error is printed', () =>
    /The test event did not arrive\. .*--target-url/.test(running.err()),
  )
  assert.equal(await stopped(running), 0)
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('a hook that cannot be deleted is reported with the command to remove it; a missing one is ignored', async () => {
  const alice = await radar.person('Alice')
  const otherNode = await radar.startAnother()
  using left = await listening(['--app', 'apple/806'], as(alice, otherNode.url))
  using deleted = await listening(['--app', 'apple/807'], as(alice))
  const hooks = await alice.client.listHooks()
  await otherNode.stop()
  assert.equal(await stopped(left), 1)
  const id = hooks.find((hook) => hook.app_id === '806')?.id
  assert.match(
    left.err(),
    new RegExp(
      `^radar listen: The hook ${id} was not deleted\\. The service at .* does not respond .* curl -X DELETE .*/hooks/${id}\n$`,
    ),
  )
  for (const hook of hooks) await alice.client.unsubscribe(hook.id)
  assert.equal(await stopped(deleted), 0, deleted.err())
})

test('an error of the service is printed as one sentence that says what to do', async () => {
  const alice = await radar.person('Alice')
  const strict = await radar.startAnother({ RADAR_ALLOW_TARGET_CIDRS: '' })
  const store = radar.environment.RADAR_APPLE_WEB_URL ?? ''
  const cases: [string[], Record<string, string>, RegExp][] = [
    [
      [],
      as(alice, strict.url),
      /^The service does not send to private .*: add 127\.0\.0\.1 to RADAR_ALLOW_TARGET_CIDRS/,
    ],
    [
      [],
      { RADAR_URL: radar.url, RADAR_TOKEN: 'rsk_wrong' },
      /^The service at .* rejected the token in RADAR_TOKEN/,
    ],
    [[], { RADAR_URL: radar.url }, /^--app requires an API token in RADAR_TOKEN/],
    [
      [],
      as(alice, 'http://127.0.0.1:9'),
      /^The service at http:\/\/127\.0\.0\.1:9 does not respond .*RADAR_URL/,
    ],
    [[], as(alice, store), /is not Review Radar \(.*\)\. Set RADAR_URL/],
    [
      ['--target-url', 'example.com'],
      as(alice),
      /^The service rejected the request \(HTTP 400\): target_url must be an absolute URL/,
    ],
    [
      [],
      { RADAR_URL: 'radar', RADAR_TOKEN: 'x' },
      /^A setting is invalid: RADAR_URL must be an http or https URL/,
    ],
  ]
  try {
    for (const [words, settings, sentence] of cases) {
      const { status, out, err } = await radarCommand(
        ['listen', '--port', '0', '--app', 'apple/808', ...words],
        settings,
      )
      assert.deepEqual([status, out], [1, ''], err)
      assert.match(err.replace('radar listen: ', ''), sentence)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
    assert.deepEqual(await alice.client.listHooks(), [])
  } finally {
    await strict.stop()
  }
})

test('an invalid secret file or address ends with status 1', async () => {
  const empty = join(folder, 'empty')
  writeFileSync(empty, '\n')
  for (const [words, sentence] of [
    [['--secret-file', join(folder, 'none')], /cannot be read; name a file that you may read/],
    [['--secret-file', empty], /does not contain a secret/],
    [['--port', new URL(radar.url).port], /is used by another process; choose another with --port/],
    [['--host', '203.0.113.7'], /is not an address of this machine; choose one with --host/],
  ] as const) {
    const { status, err } = await radarCommand(['listen', ...words])
    assert.equal(status, 1)
    assert.match(err, sentence)
  }
})

test('invalid usage ends with status 2 before anything is created', async () => {
  for (const [words, sentence] of [
    [['--port', 'web'], /--port must be a whole number/],
    [['--status', '99'], /--status must be a whole number from 200 to 599/],
    [['--secret', 'whsec_x'], /Unknown option '--secret'/],
    [['--max-stars', '3'], /--max-stars requires --app STORE\/ID/],
    [['--test'], /--test requires --app/],
    [['--app', '310633997'], /--app must be apple\/ID or google\/ID/],
    [['--app', 'steam/1'], /--app must be apple\/ID or google\/ID/],
    [['--app', 'apple/1', '--country', 'xx'], /--country must be one of us, gb/],
    [['--app', 'apple/1', '--event', 'review'], /--event must be one of review\.created, rating\.dropped/],
    [['--app', 'apple/1', '--max-stars', '6'], /--max-stars must be a whole number from 1 to 5/],
    [['--app', 'apple/1', '--event', 'rating.dropped', '--max-stars', '3'], /--max-stars filters reviews/],
    [['--app', 'apple/1', '--secret-file', SECRET_FILE], /leave out --secret-file/],
  ] as const) {
    const { status, out, err } = await radarCommand(['listen', ...words])
    assert.deepEqual([status, out], [2, ''], words.join(' '))
    assert.match(err, sentence)
  }
})

test('radar listen ends when the reader of its output closes the pipe', async () => {
  using running = await listening(['--json'])
  running.process.stdout?.destroy()
  const body = JSON.stringify(sampleEvent('review.created'))
  await fetch(running.url, { method: 'POST', body })
  await until('it ended', () => running.process.exitCode !== null)
  assert.equal(running.process.exitCode, 1)
  assert.match(running.err(), /has stopped reading/)
})
