import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FirstLoad } from '../../src/contract/console/first-load.ts'
import type { MemberView, NewSecondFactorView, SecondFactorView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import {
  type ConsoleClient,
  consoleClient,
  PASSWORD,
  type SignedIn,
  signedIn,
} from '../support/console-client.ts'
import { joined } from '../support/join.ts'
import { radarCommand } from '../support/radar-command.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'

async function turnOn(user: ConsoleClient): Promise<NewSecondFactorView> {
  const made = await user.fetchJson<NewSecondFactorView>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  })
  await user.fetchJson('POST', '/auth/two-factor/verify-totp', { code: totpCode(made.uri) })
  return made
}

async function enterPassword(running: TestService, user: SignedIn, from?: string, password = PASSWORD) {
  const client = consoleClient(running.url)
  const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from }
  const answer = await client.request('POST', '/auth/sign-in/email', { email: user.email, password }, headers)
  const enter = (path: 'totp' | 'backup-code', code: string, trustDevice = false) =>
    client.request('POST', `/auth/two-factor/verify-${path}`, { code, trustDevice }, headers)
  return { client, answer, enter }
}

const isSignedIn = async (client: ConsoleClient) => (await client.request('GET', '/members')).status === 200
const errorOf = (answer: { json: <T>() => T }) => answer.json<{ error: string }>().error

async function actionsOf(owner: ConsoleClient): Promise<string[]> {
  const { data: entries } = await owner.fetchJson<AuditPage>('GET', '/v1/audit-log')
  return entries.map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`))
}

describe('a second factor', () => {
  it('a second factor is on after its first code, and a sign-in then needs a code after the password', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const wrong = await ann.request('POST', '/auth/two-factor/enable', { password: 'wrong horse' })
    assert.deepEqual([wrong.status, errorOf(wrong)], [400, 'The current password is wrong.'])
    const { uri, backupCodes } = await ann.fetchJson<NewSecondFactorView>('POST', '/auth/two-factor/enable', {
      password: PASSWORD,
    })
    assert.match(uri, /^otpauth:\/\/totp\/Review%20Radar/)
    assert.equal(new Set(backupCodes).size, 10)
    for (const code of backupCodes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    assert.equal((await ann.fetchJson<SecondFactorView>('GET', '/second-factor')).isOn, false)
    assert.equal((await enterPassword(running, ann)).answer.text, '{}', 'not asked for before it is on')

    const mistyped = await ann.request('POST', '/auth/two-factor/verify-totp', { code: '000000' })
    assert.deepEqual([mistyped.status, errorOf(mistyped).slice(0, 18)], [401, 'The code is wrong.'])
    const first = totpCode(uri)
    await ann.fetchJson('POST', '/auth/two-factor/verify-totp', { code: first })
    assert.deepEqual(await ann.fetchJson<SecondFactorView>('GET', '/second-factor'), {
      isOn: true,
      backupCodesLeft: 10,
      trustedBrowsers: 0,
      hasPassword: true,
      hasIdentity: false,
      isRequired: false,
    })
    const again = await (await enterPassword(running, ann)).enter('totp', first)
    assert.deepEqual([again.status, errorOf(again).slice(0, 26)], [401, 'This code was used before.'])
    const { client, answer, enter } = await enterPassword(running, ann)
    assert.deepEqual(answer.json(), { needsSecondFactor: true })
    assert.equal(await isSignedIn(client), false, 'no session before the code')
    const before = await running.service.storage.people.members(ann.accountId)
    assert.equal((await enter('totp', '12 34 56')).status, 401)
    assert.equal(await isSignedIn(client), false)
    const present = totpCode(uri)
    assert.equal((await enter('totp', `${present.slice(0, 3)} ${present.slice(3)}`)).status, 200)
    assert.equal(await isSignedIn(client), true)
    assert.equal(before.length, 1)
    assert.deepEqual((await actionsOf(ann)).slice(0, 3), [
      'sign_in.succeeded: with a code',
      'sign_in.failed: ann@example.com, wrong code',
      'sign_in.failed: ann@example.com, wrong code',
    ])
  })

  it('a sign-in with a second factor has a session only after the code: the cookie of the password alone opens nothing', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    await turnOn(ann)
    const { answer } = await enterPassword(running, ann)
    for (const line of answer.headers.getSetCookie()) {
      const stolen = await running.request('/api/console/members', {
        headers: { cookie: line.split(';')[0] ?? '' },
      })
      assert.equal(stolen.status, 401, line)
    }
    assert.equal((await ann.fetchJson<unknown[]>('GET', '/sessions')).length, 1)
  })

  it('a code of a second factor is accepted once', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const { uri } = await turnOn(ann)
    const code = totpCode(uri)
    const both = await Promise.all([enterPassword(running, ann), enterPassword(running, ann)])
    const answers = await Promise.all(both.map(({ enter }) => enter('totp', code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401], 'two requests at the same time')
    const again = await (await enterPassword(running, ann)).enter('totp', code)
    assert.deepEqual(
      [again.status, errorOf(again)],
      [401, 'This code was used before. Wait for the next one.'],
    )
  })

  it('a backup code is accepted once, in any case, and new ones replace the old', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const { backupCodes } = await turnOn(ann)
    const [first = '', second = ''] = backupCodes
    const { client, enter } = await enterPassword(running, ann)
    assert.equal((await enter('backup-code', first.toLowerCase().replace('-', ' '))).status, 200)
    assert.equal(await isSignedIn(client), true)
    const again = await (await enterPassword(running, ann)).enter('backup-code', first)
    assert.deepEqual([again.status, errorOf(again)], [401, 'The backup code is wrong, or was used before.'])
    assert.equal((await ann.fetchJson<SecondFactorView>('GET', '/second-factor')).backupCodesLeft, 9)
    const renewed = await ann.fetchJson<{ backupCodes: string[] }>(
      'POST',
      '/auth/two-factor/generate-backup-codes',
      { password: PASSWORD },
    )
    assert.equal((await (await enterPassword(running, ann)).enter('backup-code', second)).status, 401)
    const fresh = renewed.backupCodes[0] ?? ''
    assert.equal((await (await enterPassword(running, ann)).enter('backup-code', fresh)).status, 200)
    assert.deepEqual((await actionsOf(ann)).slice(0, 7), [
      'sign_in.succeeded: with a backup code',
      'second_factor.backup_code_used',
      'sign_in.failed: ann@example.com, wrong code',
      'second_factor.backup_codes_created',
      'sign_in.failed: ann@example.com, wrong code',
      'sign_in.succeeded: with a backup code',
      'second_factor.backup_code_used',
    ])
  })

  it('a second factor allows five guesses per sign-in, and ten failures per user and network', async () => {
    await using running = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    const ann = await signedIn(running, 'Ann')
    const { uri } = await turnOn(ann)
    const guesser = await enterPassword(running, ann, '192.0.2.1')
    for (let i = 0; i < 5; i += 1) assert.equal((await guesser.enter('totp', `00000${i}`)).status, 401)
    const sixth = await guesser.enter('totp', totpCode(uri))
    assert.deepEqual(
      [sixth.status, errorOf(sixth)],
      [400, 'Too many wrong codes. Enter your password again.'],
    )
    // One password and six codes so far; the right password does not begin a new count.
    const next = await enterPassword(running, ann, '192.0.2.2')
    assert.deepEqual(next.answer.json(), { needsSecondFactor: true })
    for (let i = 0; i < 2; i += 1) assert.equal((await next.enter('totp', `00000${i}`)).status, 401)
    assert.equal((await next.enter('totp', totpCode(uri))).status, 429)
    assert.equal((await enterPassword(running, ann, '192.0.2.3')).answer.status, 429)
    const elsewhere = await enterPassword(running, ann, '198.51.100.1')
    assert.equal((await elsewhere.enter('totp', totpCode(uri))).status, 200)
  })

  it('a second factor is locked for a while after ten wrong codes in a row, from wherever they come', async () => {
    await using running = await startTestService({ RADAR_TRUSTED_PROXIES: '127.0.0.1' })
    const ann = await signedIn(running, 'Ann')
    const { uri } = await turnOn(ann)
    for (let network = 1; network <= 5; network += 1) {
      const guesser = await enterPassword(running, ann, `192.0.${network}.1`)
      for (let i = 0; i < 2; i += 1) assert.equal((await guesser.enter('totp', `00000${i}`)).status, 401)
    }
    const locked = await (await enterPassword(running, ann, '198.51.100.1')).enter('totp', totpCode(uri))
    assert.deepEqual(
      [locked.status, errorOf(locked)],
      [429, 'Too many wrong codes. Try again in 15 minutes.'],
    )
    assert.equal(await isSignedIn(ann), true)
  })

  it('a second factor counts wrong passwords of a signed-in user too', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    for (let i = 0; i < 10; i += 1) {
      const path = ['enable', 'disable', 'generate-backup-codes'][i % 3]
      const answer = await ann.request('POST', `/auth/two-factor/${path}`, { password: 'wrong horse' })
      assert.equal(answer.status, 400, answer.text)
    }
    assert.equal((await ann.request('POST', '/auth/two-factor/enable', { password: PASSWORD })).status, 429)
  })

  it('a second factor does not ask a trusted browser again, until the trust or another session is ended', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const { uri, backupCodes } = await turnOn(ann)
    const { client, enter } = await enterPassword(running, ann)
    assert.equal((await enter('totp', totpCode(uri), true)).status, 200)
    const signInAgain = async () => {
      await client.request('POST', '/auth/sign-out', {})
      const answer = await client.request('POST', '/auth/sign-in/email', {
        email: ann.email,
        password: PASSWORD,
      })
      return answer.json<{ needsSecondFactor?: boolean }>().needsSecondFactor === true
    }
    assert.equal(await signInAgain(), false)
    assert.equal(await signInAgain(), false)
    assert.equal(
      Object.hasOwn((await enterPassword(running, ann)).answer.json<object>(), 'needsSecondFactor'),
      true,
    )
    assert.equal((await ann.fetchJson<SecondFactorView>('GET', '/second-factor')).trustedBrowsers, 1)
    await ann.fetchJson('DELETE', '/second-factor/trusted-browsers')
    assert.equal((await ann.fetchJson<SecondFactorView>('GET', '/second-factor')).trustedBrowsers, 0)
    assert.equal(await signInAgain(), true)

    let backup = 0
    for (const end of [
      () => ann.fetchJson('POST', '/auth/revoke-other-sessions', {}),
      async () => {
        const sessions = await ann.fetchJson<{ id: string; current: boolean }[]>('GET', '/sessions')
        const other = sessions.find(({ current }) => !current)
        await ann.fetchJson('DELETE', `/sessions/${other?.id}`)
      },
    ]) {
      await client.request('POST', '/auth/two-factor/verify-backup-code', {
        code: backupCodes[backup++],
        trustDevice: true,
      })
      assert.equal(await isSignedIn(client), true)
      await end()
      assert.equal(await isSignedIn(client), false)
      assert.equal(await signInAgain(), true)
    }
  })

  it('a second factor is turned off with the password, and cannot be replaced while it is on', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    await turnOn(ann)
    const replaced = await ann.request('POST', '/auth/two-factor/enable', { password: PASSWORD })
    assert.equal(replaced.status, 409)
    assert.match(errorOf(replaced), /already on/)
    assert.equal((await ann.request('POST', '/auth/two-factor/disable', { password: 'wrong' })).status, 400)
    await ann.fetchJson('POST', '/auth/two-factor/disable', { password: PASSWORD })
    assert.equal(await isSignedIn(ann), true)
    assert.equal((await enterPassword(running, ann)).answer.text, '{}')
    assert.equal((await actionsOf(ann))[1], 'second_factor.turned_off')
  })

  it('a second factor is removed by the operator for a lost phone, which ends all sessions', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    await turnOn(ann)
    const reset = (email: string) =>
      radarCommand(['user', 'reset-second-factor', '--email', email], running.environment)
    assert.equal((await reset('ANN@example.com')).status, 0)
    assert.equal(await isSignedIn(ann), false)
    const { client, answer } = await enterPassword(running, ann)
    assert.equal(answer.text, '{}')
    assert.deepEqual((await actionsOf(client))[1], 'second_factor.reset: ann@example.com')
    const again = await reset(ann.email)
    assert.deepEqual([again.status, again.out], [1, ''])
    assert.match(again.err, /ann@example\.com has no second factor\./)
    assert.match(
      (await reset('nobody@example.com')).err,
      /There is no user with the e-mail address nobody@example\.com\./,
    )
  })
})

describe('an account that requires a second factor', () => {
  it('an account that requires a second factor lets members without one only turn it on', async () => {
    await using running = await startTestService()
    const ann = await signedIn(running, 'Ann')
    const require = (client: ConsoleClient, required: boolean) =>
      client.request('PUT', '/second-factor/requirement', { required })
    const early = await require(ann, true)
    assert.deepEqual([early.status, errorOf(early)], [409, 'Turn on your own second factor first.'])

    const ben = await joined(running, ann, 'Ben')
    assert.equal((await require(ben, true)).status, 403)
    await turnOn(ann)
    assert.equal((await require(ann, true)).status, 204)

    const refused = await ben.request('GET', '/members')
    assert.deepEqual(
      [refused.status, errorOf(refused)],
      [403, 'Your account requires a second factor. Turn it on first.'],
    )
    const session = await ben.fetchJson<FirstLoad>('GET', '/session?with=overview')
    assert.deepEqual([session.secondFactorNeeded, session.overview], [true, undefined])
    const carol = await signedIn(running, 'Carol')
    assert.equal(await isSignedIn(carol), true, 'another account has no such rule')
    const members = await ann.fetchJson<MemberView[]>('GET', '/members')
    assert.deepEqual(
      members.map(({ name, hasSecondFactor }) => [name, hasSecondFactor]),
      [
        ['Ann', true],
        ['Ben', false],
      ],
    )
    await turnOn(ben)
    const seen = await ben.fetchJson<MemberView[]>('GET', '/members')
    assert.deepEqual(
      seen.map(({ hasSecondFactor }) => hasSecondFactor),
      [null, null],
    )
    await ben.fetchJson('POST', '/auth/two-factor/disable', { password: PASSWORD })
    assert.equal(await isSignedIn(ben), false)
    assert.equal((await require(ann, false)).status, 204)
    assert.equal(await isSignedIn(ben), true)
    const actions = await actionsOf(ann)
    assert.ok(actions.includes('second_factor.required') && actions.includes('second_factor.not_required'))
  })
})
