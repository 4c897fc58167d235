import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FirstLoad } from '../../src/contract/console/first-load.ts'
import type { SessionListView, SessionView } from '../../src/contract/console/people.ts'
import { createPasswordReset } from '../../src/operations/accounts/password-resets.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Log, silentLog } from '../../src/runtime/log.ts'
import { withUsers } from '../../src/service/with-users.ts'
import { consoleClient, PASSWORD, signedIn, signInAgain } from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'
import { startBeforeSetup } from '../support/setup.ts'

const ANN = { name: 'Ann', email: 'ann@example.com', password: PASSWORD }

describe('the setup of a new service', () => {
  it('the setup of a new service creates the first account with the code from the log, signs in its owner, and cannot be repeated', async () => {
    await using service = await startBeforeSetup()
    const { code, running } = service
    const ann = consoleClient(running.url)
    const before = (await ann.request('GET', '/session')).json<SessionView>()
    assert.equal(before.setupNeeded, true)
    assert.equal(before.user, null)

    const wrong = await ann.request('POST', '/setup', { ...ANN, code: 'AAAA-AAAA-AAAA-AAAA-AAAA' })
    assert.equal(wrong.status, 403)
    assert.match(wrong.json<{ error: string }>().error, /^code does not match/)

    const made = await ann.request('POST', '/setup', {
      ...ANN,
      code: code.toLowerCase(),
      account_name: 'Acme',
    })
    assert.equal(made.status, 204, made.text)
    assert.match(made.headers.getSetCookie()[0] ?? '', /HttpOnly/i)
    assert.match(made.headers.getSetCookie()[0] ?? '', /SameSite=Strict/i)
    const session = (await ann.request('GET', '/session')).json<SessionView>()
    assert.equal(session.setupNeeded, false)
    assert.equal(session.user?.email, 'ann@example.com')
    assert.equal(session.account?.name, 'Acme')
    assert.equal(session.role, 'owner')
    assert.equal(session.operator, true)

    const again = await consoleClient(running.url).request('POST', '/setup', {
      ...ANN,
      email: 'b@example.com',
      code,
    })
    assert.equal(again.status, 409)
    assert.equal(
      (await consoleClient(running.url).request('GET', '/session')).json<SessionView>().setupNeeded,
      false,
    )
  })

  it('the setup of a new service succeeds once for concurrent requests', async () => {
    await using service = await startBeforeSetup()
    const { code, running } = service
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        consoleClient(running.url).request('POST', '/setup', { ...ANN, code, email: `${name}@example.com` }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409, 409])
    assert.equal((await running.service.storage.accounts.list()).length, 1)
  })

  it('the setup of a new service limits attempts to guess the code', async () => {
    await using service = await startBeforeSetup()
    const { code, running } = service
    const client = consoleClient(running.url)
    for (let i = 0; i < 10; i += 1) {
      assert.equal((await client.request('POST', '/setup', { ...ANN, code: `wrong ${i}` })).status, 403)
    }
    const rejected = await client.request('POST', '/setup', { ...ANN, code })
    assert.equal(rejected.status, 429)
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
  })

  it('the setup of a new service reports invalid fields', async () => {
    await using service = await startBeforeSetup()
    const answer = await consoleClient(service.running.url).request('POST', '/setup', {
      code: service.code,
      name: ' ',
      email: 'x',
      password: 'short',
    })
    assert.equal(answer.status, 400)
    const { error } = answer.json<{ error: string }>()
    for (const field of ['name:', 'email:', 'password:']) assert.ok(error.includes(field), error)
  })

  it('the setup of a new service is closed once a user exists', async () => {
    await using service = await startBeforeSetup()
    assert.notEqual(service.code, '')
    await signedIn(service.running, 'Ann')
    const logged: string[] = []
    const log: Log = { ...silentLog, info: (event) => logged.push(event) }
    await using second = await startTestService(service.running.environment, { log })
    assert.equal(second.url.startsWith('http'), true)
    assert.equal(logged.includes('service.started'), true)
    assert.equal(logged.includes('setup.code'), false)
  })
})

describe('signing in', () => {
  it('signing in fails with a wrong password, and is blocked for that network after ten failures', async () => {
    await using running = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    const ann = await signedIn(running, 'Ann')
    const attempt = (n: number, password: string) =>
      consoleClient(running.url).request(
        'POST',
        '/auth/sign-in/email',
        { email: 'ANN@example.com', password },
        { 'x-forwarded-for': `192.0.2.${n}` },
      )
    for (let i = 0; i < 10; i += 1) {
      const answer = await attempt(i, 'wrong password')
      assert.equal(answer.status, 401)
      assert.equal(answer.json<{ error: string }>().error, 'The e-mail address or the password is wrong.')
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    const rejected = await attempt(99, PASSWORD)
    const elsewhere = await consoleClient(running.url).request(
      'POST',
      '/auth/sign-in/email',
      { email: 'ann@example.com', password: PASSWORD },
      { 'x-forwarded-for': '198.51.100.7' },
    )
    assert.equal(elsewhere.status, 200, elsewhere.text)
    assert.equal(rejected.status, 429)
    assert.match(rejected.json<{ error: string }>().error, /^Too many attempts; try again in \d+ s\.$/)
    assert.ok(Number(rejected.headers.get('retry-after')) > 0)
    // Existing sessions stay valid.
    assert.equal((await ann.request('GET', '/members')).status, 200)
  })

  it('signing in without an e-mail address or a password has one count for a network, whatever the text', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const statusOf = async (body: Readonly<Record<string, string>>) =>
      (await consoleClient(running.url).request('POST', '/auth/sign-in/email', body)).status
    for (let n = 0; n < 5; n += 1) {
      assert.equal(await statusOf({ email: `no address ${n}`, password: 'x' }), 400)
      assert.equal(await statusOf({ email: `nobody${n}@example.com` }), 400)
    }
    assert.equal(await statusOf({ email: 'no address', password: 'x' }), 429)
    assert.equal(await statusOf({ email: 'nobody@example.com' }), 429)
    assert.equal(await statusOf({ email: 'nobody@example.com', password: 'x' }), 401)
    assert.equal(await statusOf({ email: ann.email, password: PASSWORD }), 200)
  })

  it('wrong links to reset a password are limited for a network across all users', async () => {
    await using running = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    assertLimited(await attempts(running.url, (n) => `203.0.113.${n}`))
    assert.deepEqual(await attempts(running.url, () => '203.0.114.5', 1), [400])
  })

  it('wrong links to reset a password count by connection address, and by forwarded address only behind a trusted proxy', async () => {
    await using running = await startTestService()
    assertLimited(await attempts(running.url, (n) => `203.0.${n}.5`))
  })

  it('wrong links to reset a password are limited by the last forwarded address before the trusted proxies', async () => {
    await using running = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' })
    assertLimited(await attempts(running.url, (n) => `198.51.${n}.7, 203.0.113.5, 10.0.0.7`))
  })

  it('signing in with a nested field of any depth returns 400', async () => {
    await using running = await startTestService()
    const answer = await consoleClient(running.url).request(
      'POST',
      '/auth/sign-in/email',
      `{"email":${'['.repeat(6_000)}${']'.repeat(6_000)},"password":"x"}`,
    )
    assert.equal(answer.status, 400, answer.text)
  })

  it('a session ends on sign-out, and on all devices on request', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const elsewhere = consoleClient(running.url)
    await signInAgain(elsewhere, ann.email)
    assert.equal((await ann.request('POST', '/auth/sign-out', {})).status, 200)
    assert.equal((await ann.request('GET', '/members')).status, 401)
    assert.equal((await elsewhere.request('GET', '/members')).status, 200)
    await signInAgain(ann, ann.email)
    assert.equal((await elsewhere.request('POST', '/auth/revoke-sessions', {})).status, 200)
    assert.equal((await ann.request('GET', '/members')).status, 401)
    assert.equal((await elsewhere.request('GET', '/members')).status, 401)
  })

  it('the cookies of a sign-in are secure when the public URL has https:', async () => {
    await using running = await startTestService({ RADAR_PUBLIC_URL: 'https://radar.example.com' })
    const ann = await signedIn({ ...running, url: running.url }, 'Ann')
    const answer = await consoleClient(running.url).request('POST', '/auth/sign-in/email', {
      email: ann.email,
      password: PASSWORD,
    })
    const [cookie = ''] = answer.headers.getSetCookie()
    assert.match(cookie, /^__Secure-radar\.session_token=/)
    assert.match(cookie, /; Secure/i)
    assert.doesNotMatch(answer.text, /token/)
  })

  it('signing in works with a new password after a reset link, which works once and ends all sessions', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const { token } = await withUsers(running.environment, ({ users }) =>
      createPasswordReset({ users, clock: systemClock }, 'ANN@example.com', { keepsPasskeys: false }),
    )
    const reset = (newPassword: string, of = token) =>
      consoleClient(running.url).request('POST', '/auth/reset-password', { token: of, newPassword })
    const short = await reset('short')
    assert.match(short.json<{ error: string }>().error, /at least 10 characters/)
    assert.equal((await reset('a new correct password', `${token}x`)).status, 400)
    assert.equal((await reset('a new correct password')).status, 200)
    const again = await reset('another password')
    assert.equal(again.status, 400)
    assert.match(again.json<{ error: string }>().error, /no longer valid/)
    assert.equal((await ann.request('GET', '/members')).status, 401)
    const signIn = (password: string) =>
      consoleClient(running.url).request('POST', '/auth/sign-in/email', { email: ann.email, password })
    assert.equal((await signIn(PASSWORD)).status, 401)
    assert.equal((await signIn('a new correct password')).status, 200)
  })

  it('the overview loads with the session, which counts as a request of the account', async () => {
    await using running = await startTestService({ RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '1' })
    const ann = await signedIn(running, 'Ann')
    const path = '/session?with=overview'
    const first = await ann.fetchJson<FirstLoad>('GET', path)
    assert.deepEqual([first.user?.name, first.overview?.series.length], ['Ann', 24])
    const second = await ann.fetchJson<FirstLoad>('GET', path)
    assert.deepEqual([second.user?.name, second.overview], ['Ann', null])
    const stranger = await consoleClient(running.url).fetchJson<FirstLoad>('GET', path)
    assert.deepEqual([stranger.user, stranger.overview], [null, undefined])
    assert.equal((await ann.request('GET', '/session?with=all')).status, 400)
  })

  it('a user lists only their own sessions, and ends one of them', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const bob = await signedIn(running, 'Bob')
    const other = consoleClient(running.url)
    await signInAgain(other, ann.email)
    const sessions = (await ann.request('GET', '/sessions')).json<SessionListView[]>()
    assert.deepEqual(sessions.map(({ current }) => current).sort(), [false, true])
    assert.equal(sessions[0]?.clientAddress, '127.0.0.1')
    const otherId = sessions.find(({ current }) => !current)?.id ?? ''
    assert.equal((await bob.request('DELETE', `/sessions/${otherId}`)).status, 404)
    assert.equal((await other.request('GET', '/members')).status, 200)
    assert.equal((await ann.request('DELETE', `/sessions/${otherId}`)).status, 204)
    assert.equal((await other.request('GET', '/members')).status, 401)
    assert.equal((await ann.request('GET', '/members')).status, 200)
  })

  it('sign-in does not create accounts when sign-up is closed', async () => {
    await using running = await startTestService()
    const stranger = consoleClient(running.url)
    assert.equal((await stranger.request('POST', '/auth/sign-up/email', ANN)).status, 404)
    assert.equal((await stranger.request('POST', '/signup', ANN)).status, 403)
    assert.equal((await stranger.request('GET', '/session')).json<SessionView>().signupOpen, false)
    assert.equal(await running.service.storage.people.anyMember(), false)
  })

  it('new users can sign up when sign-up is open, each with a separate account', async () => {
    await using running = await startTestService({ RADAR_SIGNUP: 'open' })
    await signedIn(running, 'Ann')
    const ben = consoleClient(running.url)
    assert.equal((await ben.request('GET', '/session')).json<SessionView>().signupOpen, true)
    assert.equal(
      (await ben.request('POST', '/signup', { ...ANN, email: 'ben@example.com', name: 'Ben' })).status,
      204,
    )
    const session = (await ben.request('GET', '/session')).json<SessionView>()
    assert.deepEqual([session.role, session.operator, session.account?.name], ['owner', false, 'Ben'])
    const taken = await consoleClient(running.url).request('POST', '/signup', {
      ...ANN,
      email: 'BEN@example.com',
    })
    assert.equal(taken.status, 409)
  })
})

/** The statuses of password resets with wrong links, from the clients of `clientOf`, all at once. */
async function attempts(url: string, clientOf: (n: number) => string, count = 200): Promise<number[]> {
  const answers = Array.from({ length: count }, (_, n) =>
    consoleClient(url).request(
      'POST',
      '/auth/reset-password',
      { token: `wrong ${n}`, newPassword: PASSWORD },
      { 'x-forwarded-for': clientOf(n) },
    ),
  )
  return (await Promise.all(answers)).map(({ status }) => status)
}

/** The limit refills while the test runs. */
function assertLimited(statuses: readonly number[]): void {
  const accepted = statuses.filter((status) => status === 400).length
  assert.ok(accepted >= 60 && accepted < 120, `${accepted}`)
  assert.ok(statuses.includes(429))
}
