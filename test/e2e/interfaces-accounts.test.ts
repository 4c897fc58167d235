import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '../../src/model/ids.ts'
import { tokenHash } from '../../src/operations/tokens.ts'
import { consoleClient, PASSWORD } from '../support/console-client.ts'
import { type CallResult, forEachInterface, type Tenant, tenant } from '../support/interfaces.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService({ RADAR_ROLES: 'api', RADAR_SIGNUP: 'open' })
after(() => running[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'radar-interfaces-'))
after(() => rmSync(folder, { recursive: true }))
const { accounts } = running.service.storage
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')

type TokenOptions = { readonly scopes?: readonly string[]; readonly expiresInDays?: number }

type TokenInterface = {
  readonly create: (who: Tenant, name: string, options?: TokenOptions) => Promise<CallResult>
  readonly list: (who: Tenant) => Promise<CallResult>
  readonly revoke: (who: Tenant, id: string) => Promise<CallResult>
  readonly valueOf: (answer: CallResult) => string
}

const TOKEN_INTERFACES: Readonly<Record<string, TokenInterface>> = {
  console: {
    create: (who, name, { scopes, expiresInDays } = {}) =>
      who.console('POST', '/tokens', { name, scopes, expires_in_days: expiresInDays }),
    list: (who) => who.console('GET', '/v1/tokens'),
    revoke: (who, id) => who.console('DELETE', `/tokens/${id}`),
    valueOf: (answer) => answer.json<{ value: string }>().value,
  },
  command: {
    create: (who, name, { scopes, expiresInDays } = {}) =>
      who.command(
        ...['token', 'create', '--account', who.accountId, '--name', name],
        ...(scopes === undefined ? [] : ['--scopes', scopes.join(',')]),
        ...(expiresInDays === undefined ? [] : ['--expires-in-days', String(expiresInDays)]),
      ),
    list: (who) => who.command('token', 'list', '--account', who.accountId),
    revoke: (who, id) => who.command('token', 'revoke', id),
    valueOf: ({ text }) => text.trim(),
  },
}

const statusWith = async (token: string) =>
  (await running.request('/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status

forEachInterface(
  TOKEN_INTERFACES,
  'a token is created, listed without its value, and revoked',
  async (via) => {
    const created = await via.create(alice, '  laptop ')
    assert.equal(created.outcome, 'done', created.error)
    const value = via.valueOf(created)
    assert.equal(await statusWith(value), 200)
    const [token] = await accounts.listTokens(alice.accountId)
    assert.equal(token?.name, 'laptop')
    const { text } = await via.list(alice)
    assert.ok(text.includes(token.id) && !text.includes(value))
    assert.ok(!(await via.list(bob)).text.includes(token.id))
    assert.equal((await via.revoke(alice, token.id)).outcome, 'done')
    assert.equal(await statusWith(value), 401)
    const again = await via.revoke(alice, token.id)
    assert.ok(again.outcome === 'not_found' || again.outcome === 'failed')
    assert.match(again.error, /no token with this id/)
  },
)

forEachInterface(
  TOKEN_INTERFACES,
  'a token has all scopes but that for answers, and no expiry, by default',
  async (via) => {
    const latest = async () => (await accounts.listTokens(alice.accountId))[0]
    await via.create(alice, 'all')
    const all = await latest()
    assert.deepEqual([all?.scopes, all?.expiresAt], [['read', 'hooks', 'operate'], null])
    await via.create(alice, 'some', { scopes: ['operate', 'read'], expiresInDays: 30 })
    const some = await latest()
    assert.deepEqual(some?.scopes, ['read', 'operate'])
    const days = ((some?.expiresAt?.getTime() ?? 0) - (some?.createdAt.getTime() ?? 0)) / 86_400_000
    assert.equal(days, 30)
    for (const wrong of [
      { scopes: ['write'] },
      { scopes: [] },
      { expiresInDays: 0 },
      { expiresInDays: 3_651 },
    ]) {
      const answer = await via.create(alice, 'wrong', wrong)
      assert.ok(['invalid', 'usage'].includes(answer.outcome), answer.outcome)
      assert.match(answer.error, /scopes|expires/)
    }
    for (const token of [all, some]) await via.revoke(alice, token?.id ?? '')
  },
)

forEachInterface(TOKEN_INTERFACES, 'the name of a token has 1 to 100 characters', async (via) => {
  for (const name of [' ', 'x'.repeat(101)]) {
    const answer = await via.create(alice, name)
    assert.ok(answer.outcome === 'invalid' || answer.outcome === 'usage', answer.outcome)
    assert.match(answer.error, /name.*(required|at most 100|1 to 100)/)
  }
})

forEachInterface(TOKEN_INTERFACES, 'an account has at most 100 tokens', async (via) => {
  const full = await tenant(running, `Full${newId('acc').slice(-8)}`)
  for (let nth = 1; nth < 100; nth += 1) {
    const id = newId('tok')
    const token = { id, accountId: full.accountId, name: 'x', scopes: ['read'], expiresAt: null } as const
    await accounts.createToken({ ...token, createdAt: running.clock.now() }, tokenHash(id))
  }
  const answer = await via.create(full, 'too many')
  assert.ok(answer.outcome === 'conflict' || answer.outcome === 'failed', answer.outcome)
  assert.match(answer.error, /limit of 100 tokens/)
  assert.equal((await accounts.listTokens(full.accountId)).length, 100)
})

test('the console does not revoke a token of another account', async () => {
  const [token] = await accounts.listTokens(alice.accountId)
  const answer = await bob.console('DELETE', `/tokens/${token?.id}`)
  assert.equal(answer.outcome, 'not_found')
  assert.equal((await accounts.listTokens(alice.accountId)).length, 1)
})

type NewAccount = { readonly email: string; readonly password?: string; readonly name?: string }
type Created = { readonly ok: boolean; readonly error: string }

/** Open sign-up in the console, and the command. */
const ACCOUNT_INTERFACES: Readonly<Record<string, (account: NewAccount) => Promise<Created>>> = {
  console: async ({ email, password = PASSWORD, name = 'New' }) => {
    const answer = await consoleClient(running.url).request('POST', '/signup', { email, password, name })
    return { ok: answer.status < 300, error: answer.text }
  },
  command: async ({ email, password = PASSWORD, name = 'New' }) => {
    const file = join(folder, newId('acc'))
    writeFileSync(file, password)
    const words = ['account', 'create', '--email', email, '--password-file', file, '--name', name]
    const { status, err } = await radarCommand(words, running.environment)
    return { ok: status === 0, error: err }
  },
}

let userCount = 0
function newEmail(): string {
  userCount += 1
  return `person${userCount}@example.com`
}

forEachInterface(
  ACCOUNT_INTERFACES,
  'an e-mail address has one account, in upper or lower case',
  async (create) => {
    const email = newEmail()
    assert.deepEqual(await create({ email }), { ok: true, error: '' })
    const again = await create({ email: email.toUpperCase() })
    assert.equal(again.ok, false)
    assert.match(again.error, /A user with this e-mail address already exists/)
    const client = consoleClient(running.url)
    const signIn = await client.request('POST', '/auth/sign-in/email', { email, password: PASSWORD })
    assert.equal(signIn.status, 200, signIn.text)
    const session = (await client.request('GET', '/session')).json<{ role: string; operator: boolean }>()
    assert.deepEqual([session.role, session.operator], ['owner', false])
  },
)

forEachInterface(
  ACCOUNT_INTERFACES,
  'an account requires a valid e-mail address, password and name',
  async (create) => {
    const before = (await accounts.list()).length
    for (const [wrong, error] of [
      [{ email: 'nobody@host' }, /e-?mail.*address/],
      [{ email: newEmail(), password: 'ninechars' }, /assword.*10/],
      [{ email: newEmail(), password: 'x'.repeat(129) }, /assword.*128/],
      [{ email: newEmail(), name: 'x'.repeat(101) }, /name.*100/],
    ] as const) {
      const answer = await create(wrong)
      assert.equal(answer.ok, false)
      assert.match(answer.error, error)
    }
    assert.equal((await accounts.list()).length, before)
  },
)

type TrackInterface = (who: Tenant, appId: string, storefronts: readonly string[]) => Promise<CallResult>

/** A hook created through the API tracks the storefront of its watch. */
const TRACK_INTERFACES: Readonly<Record<string, TrackInterface>> = {
  console: (who, appId, storefronts) =>
    who.console('PUT', `/v1/tracked-apps/apple/${appId}`, { countries: storefronts }),
  'REST API': async (who, appId, storefronts) => {
    const body = { store: 'apple', app_id: appId, event_type: 'review.created' }
    const subscribe = (country: string) =>
      who.api('POST', '/hooks', { ...body, country, target_url: 'https://example.com/' })
    const answers = await Promise.all(storefronts.map(subscribe))
    return answers.at(-1) ?? assert.fail()
  },
}

forEachInterface(TRACK_INTERFACES, 'tracked storefronts are listed only for their account', async (track) => {
  userCount += 1
  const [carol, dora] = [
    await tenant(running, `Carol${userCount}`),
    await tenant(running, `Dora${userCount}`),
  ]
  assert.equal((await track(carol, '1001', ['us', 'gb'])).outcome, 'done')
  const apps = (who: Tenant) => who.api('GET', '/apps').then((answer) => answer.json<{ id: string }[]>())
  assert.deepEqual((await apps(carol)).map(({ id }) => id).sort(), ['apple:1001:gb', 'apple:1001:us'])
  assert.deepEqual(await apps(dora), [])
  const page = await dora.console('GET', '/apps/apple/1001')
  assert.equal(page.outcome, 'not_found')
  assert.match(page.error, /The account does not track this app/)
})
