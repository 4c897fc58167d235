import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { radarCommand, radarProcess } from '../support/radar-command.ts'

test('radar help lists every command, and --help shows its usage', async () => {
  const { status, out } = await radarCommand(['help'])
  assert.equal(status, 0)
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    assert.ok(out.includes(`  ${name} `), name)
    assert.ok((await load()).about.length > 20, name)
  }
  const help = await radarCommand(['token', 'create', '--help'])
  assert.equal(help.status, 0)
  assert.match(help.out, /^usage: radar token create --account ID \[--name NAME\]/)
})

test('the process has the output and the status of its command', async () => {
  const help = await radarProcess(['help'])
  assert.deepEqual([help.status, help.err], [0, ''])
  assert.match(help.out, /^usage: radar <command>/)
  const wrong = await radarProcess(['launch'])
  assert.deepEqual([wrong.status, wrong.out], [2, ''])
  assert.match(wrong.err, /^radar: there is no command "launch"/)
  const failed = await radarProcess(['token', 'list', '--account', 'acc_1'], { RADAR_DATA_DIR: '/nowhere' })
  assert.deepEqual([failed.status, failed.out], [1, ''])
  assert.match(failed.err, /^radar token list: There is no database at /)
})

test('invalid usage ends with status 2 and one sentence on standard error', async () => {
  const wrong: [string[], RegExp][] = [
    [[], /^usage: radar <command>/],
    [['serv'], /^radar: there is no command "serv"\. Did you mean "radar serve"\? "radar help"/],
    [['token', 'lits'], /^radar: "token" has no subcommand "lits".*Did you mean "radar token list"\?/],
    [['launch'], /^radar: there is no command "launch"\. "radar help" lists them\.\n$/],
    [['token'], /^radar: "token" requires a subcommand\. Its subcommands are: create, list, revoke\.\n$/],
    [['token', 'make'], /^radar: "token" has no subcommand "make"/],
    [['account', 'create'], /^radar account create: --email ADDRESS and --password-file FILE are required\./],
    [['token', 'create'], /^radar token create: --account ID is required\./],
    [['token', 'create', '--acount', 'x'], /^radar token create: Unknown option '--acount'\./],
    [['token', 'create', '--account'], /^radar token create: Option '--account <value>' argument missing\./],
    [['token', 'revoke'], /^radar token revoke: TOKEN-ID is missing\./],
    [['config', 'extra'], /^radar config: "extra" is an unexpected argument\./],
    [
      ['dead', 'list', '--limit', 'many'],
      /^radar dead list: --limit must be a whole number from 1 to 10000, not "many"\./,
    ],
    [['dead', 'list', '--store', 'steam'], /^radar dead list: --store must be one of apple, google/],
    [['dead', 'list', '--since', 'yesterday'], /^radar dead list: --since must be a time/],
    [
      ['dead', 'replay'],
      /^radar dead replay: Name the events, select them by options such as --since, or use --all\./,
    ],
    [
      ['dead', 'discard', '--account', 'acc_1', '--all'],
      /^radar dead discard: --all selects every dead letter of every account: leave out --all or --account\./,
    ],
    [
      ['dead', 'replay', 'abc', '--hook', 'api-1'],
      /^radar dead replay: Name the events or select them by options, not both\./,
    ],
    [['demo', '--port', '99999'], /^radar demo: --port must be/],
    [
      ['account', 'create', '--email', 'nobody', '--password-file', 'x'],
      /^radar account create: --email must be an e-mail address/,
    ],
  ]
  for (const [words, sentence] of wrong) {
    const { status, out, err } = await radarCommand(words)
    assert.equal(status, 2, words.join(' '))
    assert.equal(out, '', words.join(' '))
    assert.match(err, sentence)
  }
})

test('invalid settings end a command with status 1 and are all reported at once', async () => {
  const { status, out, err } = await radarCommand(['serve'], {
    RADAR_PORT: 'web',
    RADAR_ROLES: 'cook',
    RADAR_PROT: '1',
  })
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /RADAR_PORT must be a whole number/)
  assert.match(err, /RADAR_ROLES must be "all", or some of/)
  assert.match(err, /RADAR_PROT \(from the environment\) is not a setting\. Did you mean RADAR_PORT\?/)
})

test('radar config prints every setting with secrets masked, and fails when one is invalid', async () => {
  const good = await radarCommand(['config'], { RADAR_PORT: '9000', RADAR_LLM_API_KEY: 'sk-verysecret' })
  assert.equal(good.status, 0)
  assert.match(good.out, /^RADAR_PORT +9000 {2}# the environment$/m)
  assert.match(good.out, /^RADAR_LLM_API_KEY +\*\*\*\* {2}# the environment$/m)
  assert.ok(!good.out.includes('verysecret'))
  const bad = await radarCommand(['config'], { RADAR_PORT: 'web' })
  assert.equal(bad.status, 1)
  assert.match(bad.err, /RADAR_PORT must be/)
})

test('a command that needs a database creates neither it nor its folder', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'radar-usage-'))
  after(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'data')
  for (const words of [
    ['account', 'list'],
    ['token', 'list'],
    ['hooks', 'list'],
    ['dead', 'list'],
    ['quarantine'],
    ['token', 'create', '--account', 'x'],
  ]) {
    const { status, out, err } = await radarCommand(words, { RADAR_DATA_DIR: folder })
    assert.deepEqual([status, out], [1, ''], words.join(' '))
    assert.match(err, /There is no database at .*data.*\. Check RADAR_DATA_DIR\./)
  }
  assert.equal(existsSync(folder), false)
})

test('lists can be printed as JSON Lines', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-usage-'))
  after(() => rmSync(folder, { recursive: true }))
  const environment = { RADAR_DATA_DIR: folder }
  writeFileSync(join(folder, 'password'), 'correct horse battery')
  const owner = ['--email', 'ann@example.com', '--password-file', join(folder, 'password'), '--name', 'Ann']
  const id = (await radarCommand(['account', 'create', ...owner], environment)).out.trim()
  await radarCommand(['token', 'create', '--account', id, '--scopes', 'read'], environment)
  const accounts = await radarCommand(['account', 'list', '--json'], environment)
  assert.deepEqual(Object.keys(JSON.parse(accounts.out)), ['id', 'name', 'created_at'])
  assert.match(
    (await radarCommand(['account', 'list'], environment)).out,
    new RegExp(`^account .*\n${id} +Ann `),
  )
  const tokens = await radarCommand(['token', 'list', '--json'], environment)
  assert.deepEqual(JSON.parse(tokens.out).scopes, ['read'])
  for (const words of [
    ['hooks', 'list'],
    ['dead', 'list'],
    ['dead', 'replays'],
  ]) {
    assert.deepEqual(
      await radarCommand([...words, '--json'], environment).then(({ status, out }) => [status, out]),
      [0, ''],
    )
  }
  const { out } = await radarCommand(['config', '--json'], environment)
  const settings = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { value, origin } = settings.find(({ name }) => name === 'RADAR_DATA_DIR')
  assert.deepEqual([value, origin], [folder, 'the environment'])
  const quarantine = await radarCommand(['quarantine', '--json'], environment)
  assert.deepEqual([quarantine.status, quarantine.out], [0, ''])
})
