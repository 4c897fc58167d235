import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'radar-cli-'))
after(() => rmSync(folder, { recursive: true }))
const password = join(folder, 'password')
writeFileSync(password, 'correct horse battery\n')

const run = (...words: string[]) => radarCommand(words, radar.environment)

test('account create prints an id, token create prints a token that the running service accepts', async () => {
  const account = await run(
    'account',
    'create',
    '--email',
    'alice@example.com',
    '--password-file',
    password,
    '--name',
    'Alice',
  )
  assert.deepEqual([account.status, account.err], [0, ''])
  assert.match(account.out, /^acc_[0-9a-f]{40}\n$/)
  const made = await run('token', 'create', '--account', account.out.trim(), '--name', 'laptop')
  assert.deepEqual([made.status, made.err], [0, ''])
  assert.match(made.out, /^rsk_[\w-]{43}\n$/)
  const client = createClient({ baseUrl: radar.url, token: made.out.trim() })
  const { account_id, account_name, token_name } = await client.me()
  assert.deepEqual([account_id, account_name, token_name], [account.out.trim(), 'Alice', 'laptop'])
})

test('the owner of a new account signs in to the console', async () => {
  const made = await run('account', 'create', '--email', 'Dora@example.com', '--password-file', password)
  assert.equal(made.status, 0, made.err)
  const signIn = (secret: string) =>
    radar.request('/api/console/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-radar-console': '1', origin: radar.url },
      body: JSON.stringify({ email: 'dora@example.com', password: secret }),
    })
  const answer = await signIn('correct horse battery')
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.headers.get('set-cookie'))
  assert.equal((await signIn('wrong horse battery')).status, 401)
})

test('user reset-password prints a link that opens the page for a new password', async () => {
  const email = 'flora@example.com'
  assert.equal((await run('account', 'create', '--email', email, '--password-file', password)).status, 0)
  const reset = await run('user', 'reset-password', '--email', email)
  assert.equal(reset.status, 0, reset.err)
  assert.match(reset.out, /^http:\/\/127\.0\.0\.1:\d+\/reset-password\/[\w-]{43}\n$/)
  assert.match(
    reset.err,
    /^The link is valid until .+\. Give it only to the user\.\nAccounts of the user: flora@example\.com\. The e-mail address is not verified\.\n$/,
  )
  const unknown = await run('user', 'reset-password', '--email', 'nobody@example.com')
  assert.deepEqual([unknown.status, unknown.out], [1, ''])
  assert.match(unknown.err, /There is no user with the e-mail address nobody@example\.com/)
})

test('account create rejects an address that already has a user', async () => {
  const words = ['account', 'create', '--email', 'erin@example.com', '--password-file', password]
  assert.equal((await run(...words)).status, 0)
  const again = await run(...words)
  assert.deepEqual([again.status, again.out], [1, ''])
  assert.match(again.err, /A user with this e-mail address already exists/)
})

test('account create names the account after the address by default', async () => {
  const { out } = await run('account', 'create', '--email', 'bob@example.com', '--password-file', password)
  assert.equal((await radar.service.storage.accounts.get(out.trim()))?.name, 'bob@example.com')
})

test('account create rejects a password that is too short or cannot be read', async () => {
  const before = (await radar.service.storage.accounts.list()).length
  const short = join(folder, 'short')
  writeFileSync(short, 'ninechars\n')
  const rejected = await run('account', 'create', '--email', 'a@example.com', '--password-file', short)
  assert.equal(rejected.status, 2)
  assert.match(rejected.err, /The password must have 10 to 128 characters/)
  const missing = await run(
    'account',
    'create',
    '--email',
    'a@example.com',
    '--password-file',
    join(folder, 'none'),
  )
  assert.equal(missing.status, 1)
  assert.match(missing.err, /cannot be read/)
  assert.equal((await radar.service.storage.accounts.list()).length, before)
})

test('token create rejects an account that does not exist', async () => {
  const { status, out, err } = await run('token', 'create', '--account', 'acc_nobody')
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /^radar token create: There is no account acc_nobody\./)
})

for (const words of [
  ['token', 'list'],
  ['hooks', 'list'],
  ['dead', 'list'],
  ['dead', 'export'],
  ['dead', 'replays'],
  ['dead', 'discard'],
  ['dead', 'replay'],
]) {
  test(`${words.join(' ')} reports an account that does not exist`, async () => {
    const { status, out, err } = await run(...words, '--account', 'acc_nobody')
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, new RegExp(`^radar ${words.join(' ')}: There is no account acc_nobody\\.`))
  })
}

test('token list shows ids and names but no values; token revoke takes effect in the running service', async () => {
  const alice = await radar.person('Alice')
  const listed = await run('token', 'list', '--account', alice.accountId)
  assert.match(listed.out, /Alice's token/)
  assert.ok(!listed.out.includes(alice.token))
  const id = /tok_[0-9a-f]+/.exec(listed.out)?.[0] ?? ''
  assert.equal((await run('token', 'revoke', id)).status, 0)
  await assert.rejects(alice.client.me(), { status: 401 })
  assert.match(
    (await run('token', 'list', '--account', alice.accountId)).err,
    /^There are no tokens\. Create one with/,
  )
  const again = await run('token', 'revoke', id)
  assert.equal(again.status, 1)
  assert.match(again.err, /There is no token/)
})

test('hooks list shows hooks of all accounts, with control characters replaced', async () => {
  const [alice, bob] = [await radar.person('Alice'), await radar.person('Bob')]
  const made = await alice.client.subscribe({
    target_url: `https://example.com/${'hook'.repeat(50)}`,
    store: 'apple',
    app_id: '12\u001b[31m',
    event_type: 'rating.dropped',
    delta: 0.1,
    threshold: 4,
  })
  const { out } = await run('hooks', 'list')
  assert.ok(out.includes(made.id))
  assert.match(out, /rating drops by 0\.1 below 4/)
  assert.ok(!out.includes('\u001b'))
  assert.ok(
    out.split('\n').every((line) => line.length <= 80),
    out,
  )
  const none = await run('hooks', 'list', '--account', bob.accountId)
  assert.deepEqual([none.status, none.out], [0, ''])
  assert.match(none.err, /^There are no hooks\. Create one with the API or the console\./)
})

test('backup copies the database of a running service and overwrites no file', async () => {
  const alice = await radar.person('Alice')
  const copy = join(folder, 'copy.db')
  const done = await run('backup', copy)
  assert.deepEqual([done.status, done.err], [0, ''])
  assert.ok(statSync(copy).size > 0)
  const output = await radarCommand(['token', 'list'], {
    ...radar.environment,
    RADAR_DATABASE_URL: `sqlite:${copy}`,
  })
  assert.ok(output.out.includes(alice.accountId))
  const again = await run('backup', copy)
  assert.equal(again.status, 1)
  assert.match(again.err, /already exists; specify a new file/)
  const nowhere = await run('backup', join(folder, 'no-such-folder', 'copy.db'))
  assert.equal(nowhere.status, 1)
  assert.match(nowhere.err, /could not be written .*its folder must exist/)
})

test('only its owner can read the key file', () => {
  const file = join(radar.environment.RADAR_DATA_DIR ?? '', 'secret.key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
})
