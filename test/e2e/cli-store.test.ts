import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createAppleKey, createServiceAccount } from '../../src/simulate/official/connect.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService({ RADAR_OFFICIAL_POLL_INTERVAL: '1h' })
after(() => radar[Symbol.asyncDispose]())
const { world } = radar
const APPLE = { store: 'apple', appId: '310633997', name: 'Larkspur Notes' } as const
const GOOGLE = { store: 'google', appId: 'com.example.larkspur', name: 'Larkspur Notes' } as const
addApp(world, APPLE)
addApp(world, GOOGLE)
const BUCKET = 'pubsite_prod_rev_0123456789'

const folder = await mkdtemp(join(tmpdir(), 'radar-cli-store-'))
after(() => rm(folder, { recursive: true, force: true }))
async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
/** The options that connect the key, from a file with Apple's name. */
async function appleOptions(key = createAppleKey(world)): Promise<string[]> {
  const path = await file(`AuthKey_${key.keyId}.p8`, key.privateKey)
  return ['--key-file', path, ...(key.issuerId === null ? [] : ['--issuer-id', key.issuerId])]
}
async function googleFile(appIds: readonly string[] = [GOOGLE.appId]): Promise<string> {
  const account = createServiceAccount(world, { appIds, bucket: BUCKET })
  return file(`${account.private_key_id}.json`, JSON.stringify(account))
}

async function newAccount() {
  const { token } = await radar.person(`person-${Math.random()}`)
  const settings = { RADAR_URL: radar.url, RADAR_TOKEN: token }
  const store = (...words: string[]) => radarCommand(['store', ...words], settings)
  return {
    store,
    /** Connects and returns the id. */
    async connect(...words: string[]): Promise<string> {
      const { out, err } = await store('connect', ...words)
      const id = /^con_\w+/.exec(out)?.[0]
      assert.ok(id !== undefined, err)
      return id
    },
  }
}

test('radar store connects both stores from their files, lists what they reach and prints no key', async () => {
  const { store, connect } = await newAccount()
  const key = createAppleKey(world)
  await connect('apple', ...(await appleOptions(key)), '--name', 'Team')
  await connect('google', '--key-file', await googleFile(), '--app', GOOGLE.appId)
  const { status, out } = await store('list')
  assert.equal(status, 0)
  assert.match(out, new RegExp(`^con_\\w+ {2}Team {2}\\(${key.keyId}\\)$`, 'm'))
  assert.match(out, /^310633997 +Larkspur Notes +not tracked +-$/m)
  assert.match(out, /^com\.example\.larkspur +- +not tracked +-$/m)
  assert.ok(!out.includes(key.privateKey.split('\n')[1] ?? ''))
})

test('radar store names a wrong file, option or answer of the store, and stores nothing', async () => {
  const { store } = await newAccount()
  const [apple, google] = [await appleOptions(), await googleFile()]
  const [p8 = '', json] = [apple[1], google]
  const big = await file('big.p8', 'x'.repeat(100_000))
  for (const [words, status, message] of [
    [['amazon', '--key-file', p8], 2, /must be apple or google, not "amazon"/],
    [['apple'], 2, /--key-file FILE is required/],
    [['apple', '--key-file', join(folder, 'none.p8')], 1, /cannot be read; name a file that you may read/],
    [['apple', '--key-file', folder, '--key-id', 'ABCDEFGHIJ'], 1, /cannot be read/],
    [
      ['apple', '--key-file', big, '--key-id', 'ABCDEFGHIJ'],
      1,
      /has 100000 bytes\. Key files .* much smaller/,
    ],
    [
      ['apple', '--key-file', json, '--key-id', 'ABCDEFGHIJ'],
      1,
      /This is a JSON file\. Google Play keys are JSON/,
    ],
    [['apple', '--key-file', json], 2, /--key-id is required/],
    [['apple', '--key-file', p8], 1, /a team key needs its issuer id/],
    [['google', '--key-file', json], 2, /--app is required: Google has no list of apps/],
    [['google', '--key-file', p8, '--app', GOOGLE.appId], 1, /App Store Connect has \.p8 files/],
    [
      ['google', '--key-file', json, '--app', 'com.example.none'],
      1,
      /no app with the package name com\.example/,
    ],
  ] as const) {
    const result = await store('connect', ...words)
    assert.equal(result.status, status, `${words.join(' ')}: ${result.err}`)
    assert.match(result.err, message)
    assert.match(result.err, /[.?]\n$/, 'the sentence is whole')
  }
  assert.equal((await store('list')).err, 'No store is connected. Connect one with "radar store connect".\n')
})

test('radar store use tracks an app and gets its reviews from the connection, and leave changes it back', async () => {
  const { store, connect } = await newAccount()
  const [id, other] = [
    await connect('apple', ...(await appleOptions())),
    await connect('apple', ...(await appleOptions())),
  ]
  assert.match((await store('use', id, '999')).err, /has no access to this app/)
  assert.match(
    (await store('use', 'con_none', APPLE.appId)).err,
    /no store connection with this id\. "radar store list"/,
  )
  const used = await store('use', id, APPLE.appId, '--country', 'us,de')
  assert.match(used.out, /^310633997 .* tracked in (us, de|de, us) +this connection$/m)
  const list = await store('list')
  assert.ok(
    list.out.includes(`tracked in us, de  ${id}`) || list.out.includes(`tracked in de, us  ${id}`),
    list.out,
  )
  assert.match((await store('leave', other, APPLE.appId)).out, /^310633997 /m)
  assert.match((await store('leave', id, APPLE.appId)).out, /^310633997 .* public pages$/m)
})

test('radar store replace-key keeps the package names and the bucket, and says which used app is out of reach', async () => {
  const { store, connect } = await newAccount()
  const bucket = ['--reports-bucket', `gs://${BUCKET}/reviews`]
  const id = await connect('google', '--key-file', await googleFile(), '--app', GOOGLE.appId, ...bucket)
  await store('use', id, GOOGLE.appId)
  const wrongStore = await store('replace-key', id, '--key-file', (await appleOptions())[1] ?? '')
  assert.match(wrongStore.err, /App Store Connect has \.p8 files/)
  const replaced = await store('replace-key', id, '--key-file', await googleFile())
  assert.deepEqual([replaced.status, replaced.err], [0, ''])
  await until('the source is used', async () => !(await store('history', id, GOOGLE.appId, '--no-wait')).err)
  assert.match((await store('history', id, GOOGLE.appId)).out, /^done, /m)

  addApp(world, { store: 'google', appId: 'com.example.other' })
  const others = await googleFile(['com.example.other'])
  const lost = await store('replace-key', id, '--key-file', others, '--app', 'com.example.other')
  assert.match(
    lost.out,
    /^warning: com\.example\.larkspur: The credentials have no access to this app, but its reviews/m,
  )
  assert.match((await store('leave', id, GOOGLE.appId)).out, /^(?!.*larkspur)/)
})

test('radar store test fails when the key was revoked, and remove asks first', async () => {
  const { store, connect } = await newAccount()
  const key = createAppleKey(world)
  const id = await connect('apple', ...(await appleOptions(key)))
  assert.equal((await store('test', id)).status, 0)
  world.official.revokeAppleKey(key.keyId)
  const revoked = await store('test', id)
  assert.equal(revoked.status, 1)
  assert.match(revoked.out, /^failed, tested .*: App Store Connect rejected the key: check the issuer id/m)
  assert.match((await store('remove', id)).err, /requires confirmation on a terminal, or the option --yes/)
  assert.equal((await store('remove', id, '--yes')).out, 'Removed.\n')
})
