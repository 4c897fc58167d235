import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { execute } from '../../src/cli/apply/execute.ts'
import { readWanted } from '../../src/cli/apply/file.ts'
import { callFailure } from '../../src/cli/remote/call-failure.ts'
import type { Client } from '../../src/client/client.ts'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import type { Person } from '../support/people.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'radar-apply-'))
after(() => rmSync(folder, { recursive: true }))

/** The hooks with all their settings, in the order of the list. */
const details = async (client: Client) =>
  Promise.all((await client.listHooks()).map(({ id }) => client.getHook(id)))

const FILE = `# All that the support team needs.
hooks:
  - external_ref: support
    target_url: https://example.com/support
    name: Support desk
    rate_per_second: 5
    watches:
      - { store: apple, app_id: 310633997, event_type: review.created, max_stars: 3 }
      - store: google
        app_id: com.example.app
        event_type: rating.dropped
        delta: 0.1
        country: de
  - external_ref: "pulled ✓"
    target_url: "pull:"
    watches:
      - { store: apple, app_id: "310633997", event_type: review.created }
apps:
  - store: apple
    app_id: 310633997
    countries: [us, de]
`

let files = 0
function file(content: string): string {
  files += 1
  const path = join(folder, `${files}.yaml`)
  writeFileSync(path, content)
  return path
}

const applied = ({ token }: Person, words: readonly string[]) =>
  radarCommand(['apply', ...words], { RADAR_URL: radar.url, RADAR_TOKEN: token })

test('apply creates hooks and tracks apps as the file describes, and a second run changes nothing', async () => {
  const alice = await radar.person('Alice')
  const path = file(FILE)
  const plan = await applied(alice, ['-f', path, '--plan'])
  assert.deepEqual([plan.status, plan.err], [3, ''])
  assert.match(plan.out, /^\+ app apple\/310633997 {2}countries: none → us, de$/m)
  assert.match(
    plan.out,
    /^\+ hook support\n {4}https:\/\/example\.com\/support\n {4}review\.created of apple 310633997, 1 to 3 stars$/m,
  )
  assert.match(plan.out, /^ {4}rating\.dropped of google com\.example\.app in de, falls by 0\.1$/m)
  assert.match(plan.out, /^3 changes to make\. Nothing was changed\.$/m)
  assert.deepEqual(await alice.client.listHooks(), [])

  const first = await applied(alice, ['-f', path])
  assert.deepEqual([first.status, first.err], [0, ''])
  assert.match(first.out, /^3 changes made\.$/m)
  const secrets = [...first.out.matchAll(/^Secret of hook (.+) \(shown once\): whsec_\S+$/gm)]
  assert.deepEqual(
    secrets.map(([, name]) => name),
    ['support', 'pulled ✓'],
  )
  const hooks = await details(alice.client)
  assert.deepEqual(
    hooks.map(({ external_ref, name, rate_per_second, watches }) => [
      external_ref,
      name,
      rate_per_second,
      watches.length,
    ]),
    [
      ['support', 'Support desk', 5, 2],
      ['pulled ✓', null, null, 1],
    ],
  )
  const [app] = await alice.client.call<TrackedApp[]>('GET', '/tracked-apps')
  assert.deepEqual(app?.countries, ['us', 'de'])

  for (const words of [['--plan'], [], ['--prune']]) {
    const again = await applied(alice, ['-f', path, ...words])
    assert.deepEqual([again.status, again.out, again.err], [0, 'Nothing to change.\n', ''])
  }
  assert.deepEqual(await details(alice.client), hooks)
})

test('apply changes a hook in place: id, secret and equal watches stay', async () => {
  const alice = await radar.person('Alice')
  await applied(alice, ['-f', file(FILE)])
  const [before] = await details(alice.client)
  const { hooks: stored } = radar.service.storage
  const watchesOf = async () => (await stored.get(alice.accountId, before?.id ?? ''))?.watches ?? []
  const [kept] = await watchesOf()

  const changed = FILE.replace('delta: 0.1', 'threshold: 4')
    .replace('/support', '/moved')
    .replace('    name: Support desk\n', '')
  const { status, out } = await applied(alice, ['-f', file(changed)])
  assert.equal(status, 0)
  assert.match(
    out,
    /^~ hook support\n {4}target_url: https:\/\/example\.com\/support → https:\/\/example\.com\/moved$/m,
  )
  assert.match(out, /^ {4}remove watch: rating\.dropped .* falls by 0\.1$/m)
  assert.match(out, /^ {4}add watch: rating\.dropped .* falls below 4$/m)
  assert.doesNotMatch(out, /whsec_/)
  const [after] = await details(alice.client)
  assert.deepEqual(
    [after?.id, after?.target_url, after?.name],
    [before?.id, 'https://example.com/moved', 'Support desk'],
  )
  const watches = await watchesOf()
  assert.deepEqual(
    watches.find(({ id }) => id === kept?.id),
    kept,
  )
  assert.deepEqual(
    after?.watches.map(({ delta, threshold }) => [delta, threshold]),
    [
      [null, null],
      [null, 4],
    ],
  )

  const untracked = await applied(alice, [
    '-f',
    file('apps: [{ store: apple, app_id: 310633997, countries: [] }]'),
  ])
  assert.match(untracked.out, /^- app apple\/310633997 {2}countries: us, de → none$/m)
})

test('filters of a watch are compared whatever their order, and a change of them is shown', async () => {
  const alice = await radar.person('Alice')
  const filters = (text: string) => file(FILE.replace('max_stars: 3', text))
  await applied(alice, ['-f', filters('keywords: [refund, Crash], themes: [sync, ads], countries: [fr, de]')])
  const same = filters('keywords: [Crash, " refund"], themes: [ads, sync], countries: [de, fr]')
  const plan = await applied(alice, ['-f', same, '--plan'])
  assert.deepEqual([plan.status, plan.out.includes('~')], [0, false])
  const changed = await applied(alice, ['-f', filters('keywords: [refund], is_bug_report: true')])
  assert.match(
    changed.out,
    /^ {4}remove watch: .* in fr de, keywords \["Crash","refund"\], themes \["sync","ads"\]$/m,
  )
  const window = file(FILE.replace('delta: 0.1', 'delta: 0.1\n        delta_window_hours: 24'))
  const slow = await applied(alice, ['-f', window])
  assert.match(slow.out, /^ {4}add watch: rating\.dropped .*, falls by 0\.1 within 24 h$/m)
  assert.match(changed.out, /^ {4}add watch: .*, keywords \["refund"\], is_bug_report true$/m)
})

test('a file has the rules of spikes and recoveries, and the defaults of a spike need not be written', async () => {
  const alice = await radar.person('Alice')
  const spikes = (more: string) =>
    FILE.replace('event_type: rating.dropped', `event_type: reviews.spiked${more}`).replace(
      /\n *delta: 0\.1/,
      '',
    )
  const first = await applied(alice, ['-f', file(spikes(''))])
  assert.match(first.out, /reviews\.spiked .*, spike_min_reviews 5, spike_factor 3$/m)
  const same = await applied(alice, ['-f', file(spikes('\n        spike_min_reviews: 5')), '--plan'])
  assert.deepEqual([same.status, same.out.includes('~')], [0, false], same.out)
  const other = await applied(alice, ['-f', file(spikes('\n        spike_factor: 2.5'))])
  assert.match(other.out, /^ {4}add watch: reviews\.spiked .*, spike_min_reviews 5, spike_factor 2\.5$/m)
  const recovery = await applied(alice, ['-f', file(FILE.replace('rating.dropped', 'rating.recovered'))])
  assert.match(recovery.out, /^ {4}add watch: rating\.recovered .*, falls by 0\.1$/m)
})

test('--prune removes only hooks that a program created with an external_ref, after a confirmation', async () => {
  const alice = await radar.person('Alice')
  const bob = await radar.person('Bob')
  const body = {
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: '1',
    event_type: 'review.created',
  } as const
  for (const who of [alice, bob]) await who.client.subscribe({ ...body, external_ref: 'old' })
  await alice.client.subscribe(body)
  await alice.client.subscribe({ ...body, external_ref: 'zap 7', source: 'zapier' })
  await alice.client.subscribe({ ...body, external_ref: 'radar listen' })
  const path = file('hooks: []')
  assert.equal((await applied(alice, ['-f', path])).out, 'Nothing to change.\n')
  const plan = await applied(alice, ['-f', path, '--prune', '--plan', '--json'])
  assert.deepEqual([plan.status, JSON.parse(plan.out).external_ref], [3, 'old'])
  const asked = await applied(alice, ['-f', path, '--prune'])
  assert.deepEqual([asked.status, (await alice.client.listHooks()).length], [2, 4])
  assert.match(
    asked.err,
    /"Remove the hook old, with pending deliveries\?" requires confirmation on a terminal/,
  )
  assert.equal((await applied(alice, ['-f', path, '--prune', '--yes'])).status, 0)
  const left = (await alice.client.listHooks()).map(({ external_ref: ref }) => ref)
  assert.deepEqual(left.sort(), ['radar listen', 'zap 7', null].sort())
  assert.equal((await bob.client.listHooks()).length, 1)
  const apps = await applied(alice, ['-f', file('apps: []'), '--prune', '--yes'])
  assert.equal(apps.out, 'Nothing to change.\n')
})

test('--secrets appends to a file that only its owner reads, and prints none', async () => {
  const alice = await radar.person('Alice')
  const secrets = join(folder, 'secrets.jsonl')
  const made = await applied(alice, ['-f', file(FILE), '--secrets', secrets])
  assert.deepEqual([made.status, made.out.includes('whsec_')], [0, false])
  assert.equal(statSync(secrets).mode & 0o777, 0o600)
  const lines = readFileSync(secrets, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const ids = (await alice.client.listHooks()).map(({ id }) => id)
  assert.deepEqual(
    lines.map(({ external_ref, id }) => [external_ref, id]),
    [
      ['support', ids[0]],
      ['pulled ✓', ids[1]],
    ],
  )
  assert.match(lines[0].secret, /^whsec_/)

  const bob = await radar.person('Bob')
  const failed = await applied(bob, ['-f', file(FILE), '--secrets', join(folder, 'no', 'such')])
  assert.equal(failed.status, 1)
  assert.match(failed.err, /of --secrets cannot be written/)
  assert.deepEqual(await bob.client.listHooks(), [])
})

test('a hook is deleted again if its secret cannot be stored', async () => {
  const alice = await radar.person('Alice')
  const [wanted] = readWanted('radar.yaml', FILE).hooks ?? []
  assert.ok(wanted !== undefined)
  const full = new Error('no space left on device')
  const secrets = { write: () => Promise.reject(full), [Symbol.asyncDispose]: async () => {} }
  await assert.rejects(execute(alice.client, { kind: 'create hook', wanted }, secrets), full)
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('a hook is deleted again if the service rejects the rest of its settings', async () => {
  const alice = await radar.person('Alice')
  const [hook] = readWanted('radar.yaml', FILE).hooks ?? []
  assert.ok(hook !== undefined)
  const wanted = { ...hook, message_schedule: { daily_at: '09:00' } }
  const secrets = { write: async () => {}, [Symbol.asyncDispose]: async () => {} }
  await assert.rejects(execute(alice.client, { kind: 'create hook', wanted }, secrets), /message_schedule/)
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('every error of the file is reported with its line and column, and nothing is changed', async () => {
  const alice = await radar.person('Alice')
  const hook = (rest: string) =>
    `hooks:\n  - external_ref: a\n    target_url: https://example.com/\n    ${rest}\n`
  const watch = (rest: string) =>
    hook(`watches:\n      - { store: apple, app_id: 1, event_type: review.created, ${rest} }`)
  const cases: [string, RegExp[]][] = [
    ['hooks: [', [/:1:\d+: .*flow/i]],
    ['- a', [/:1:1: The file must be a mapping with "hooks" or "apps"\./]],
    ['hook: []', [/:1:1: "hook" is not a field here\. Fields: hooks, apps\./]],
    [watch('competitors: [" "]'), [/:5:\d+: competitors must contain visible characters\./]],
    [watch('max_star: 3'), [/:5:\d+: "max_star" is not a field here\. Fields: store, app_id, /]],
    [
      watch('max_stars: 9, min_stars: "2"'),
      [
        /:5:64: max_stars must be a whole number from 1 to 5, not 9\./,
        /:5:78: min_stars must be .*, not "2"\./,
      ],
    ],
    [watch('themes: [crash]'), [/:5:\d+: themes must be a list of stability_crash.* not "crash"/]],
    [watch('app_versions: ["1.*.2"]'), [/:5:64: app_versions may have \* only at the end/]],
    [hook('watches: []'), [/:4:5: watches must be a list of 1 to 200 watches/]],
    [hook('name: x'), [/:2:\d+: watches is required/]],
    [
      `${watch('max_stars: 3')}${watch('max_stars: 2').replace('hooks:\n', '')}`,
      [/:6: The external_ref "a" already exists in line 2\./],
    ],
    [
      'apps:\n  - { store: apple, app_id: 1, countries: [us, xx] }',
      [/:2:48: countries must be a list of storefronts, .* not "xx"\./],
    ],
  ]
  for (const [content, sentences] of cases) {
    const { status, out, err } = await applied(alice, ['-f', file(content)])
    assert.deepEqual([status, out], [1, ''], content)
    for (const sentence of sentences) assert.match(err, sentence)
  }
  assert.deepEqual(await alice.client.listHooks(), [])
})

test('an error of the service names the line, and the next run continues', async () => {
  const alice = await radar.person('Alice')
  const rejected = FILE.replace('"pull:"', 'http://10.0.0.1/')
  const { status, err } = await applied(alice, ['-f', file(rejected)])
  assert.equal(status, 1)
  assert.match(
    err,
    /\.yaml:14: The service rejected the request \(HTTP 400\): target_url points at 10\.0\.0\.1, .* 2 changes made before it; run the command again\.$/m,
  )
  const next = await applied(alice, ['-f', file(FILE)])
  assert.match(next.out, /^1 change made\.$/m)
  const gone = await alice.client
    .getHook('api-gone')
    .catch((error: unknown) => callFailure(error, radar.url, 1))
  assert.match(String(gone), /^The service rejected the request \(HTTP 404\): /)

  const twice = {
    target_url: 'https://example.com/',
    store: 'apple',
    app_id: '1',
    event_type: 'review.created',
  } as const
  for (const _ of [1, 2]) await alice.client.subscribe({ ...twice, external_ref: 'two' })
  const both = await applied(alice, ['-f', file(FILE.replace('external_ref: support', 'external_ref: two'))])
  assert.match(
    both.err,
    /Two hooks of the account have the external_ref "two": api-\w+ and api-\w+\. Remove one/,
  )
  const missing = await radarCommand(['apply', '-f', join(folder, 'none.yaml')])
  assert.deepEqual([missing.status, /none\.yaml cannot be read/.test(missing.err)], [1, true])
})

const CHANNEL = (url: string) => `hooks:
  - external_ref: channel
    target_type: slack
    target_settings:
      webhook_url: ${url}
    watches:
      - { store: apple, app_id: 310633997, event_type: review.created }
`
const SCHEDULED = (schedule: string, url = 'https://hooks.slack.com/services/T1/B1/secret1') =>
  CHANNEL(url).replace('    watches:', `    message_schedule: ${schedule}\n    watches:`)

test('apply creates a formatted destination with a setting of the environment, and changes it only for other settings', async () => {
  const carol = await radar.person('Carol')
  // The runtime knows this time zone by an older name.
  const schedule = '{ daily_at: "09:00", time_zone: Asia/Kolkata }'
  const path = file(SCHEDULED(schedule, `\${SLACK_URL}`))
  const run = (url: string, ...words: string[]) =>
    radarCommand(['apply', '-f', path, ...words], {
      RADAR_URL: radar.url,
      RADAR_TOKEN: carol.token,
      SLACK_URL: url,
    })
  const first = await run('https://hooks.slack.com/services/T1/B1/secret1')
  assert.equal(first.status, 0, first.err)
  assert.ok(!first.out.includes('whsec_'), 'its messages are not signed')
  const [hook] = await details(carol.client)
  assert.deepEqual([hook?.target_type, hook?.message_schedule?.time_zone], ['slack', 'Asia/Kolkata'])
  assert.match((await run('https://hooks.slack.com/services/T1/B1/secret1')).out, /Nothing to change/)
  const changed = await run('https://hooks.slack.com/services/T1/B1/secret2')
  assert.match(changed.out, /target_settings: changed/)
  assert.ok(!(first.out + changed.out).includes('secret1'))
  const [after] = await details(carol.client)
  assert.equal(after?.id, hook?.id)
  assert.notEqual(after?.target_fingerprint, hook?.target_fingerprint)
})

test('apply names the line of a wrong setting and of a variable that is not set', () => {
  assert.throws(() => readWanted('f.yaml', CHANNEL('https://example.com/secret')), {
    message: /f\.yaml:5:7: webhook_url must be the URL of an incoming webhook/,
  })
  assert.throws(() => readWanted('f.yaml', SCHEDULED('{ daily_at: 9am }')), {
    message: /f\.yaml:6:25: message_schedule\.daily_at must be a time from 00:00 to 23:59/,
  })
  assert.throws(() => readWanted('f.yaml', SCHEDULED('{ daily_at: "09:00", time_zone: Mars }')), {
    message: /f\.yaml:6:\d+: message_schedule\.time_zone must be the name of a time zone/,
  })
  assert.throws(() => readWanted('f.yaml', SCHEDULED('{ daily_at: "09:00", weekdays: 1 }')), {
    message: /f\.yaml:6:\d+: "weekdays" is not a field here\. Fields: time_zone, .*weekday/,
  })
  assert.throws(() => readWanted('f.yaml', SCHEDULED('{ daily_at: "09:00", weekday: 8 }')), {
    message:
      /^.*\nf\.yaml:6:\d+: message_schedule\.weekday must be a whole number from 1 \(Monday\) to 7, not 8\.$/,
  })
  assert.throws(() => readWanted('f.yaml', CHANNEL(`\${SLACK_URL}`)), {
    message: /f\.yaml:5:20: The environment variable SLACK_URL is not set\./,
  })
  assert.throws(() => readWanted('f.yaml', CHANNEL(`\${SLACK_URL}`).replace('slack', 'webhook')), {
    message: /SLACK_URL is not set/,
  })
})
