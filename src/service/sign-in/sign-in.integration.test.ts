import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { longestBlockMs } from '../../../test/support/longest-block.ts'
import { ANN, assertRetention, cookieOf, request } from '../../../test/support/sign-in.ts'
import { holdSqliteLock } from '../../../test/support/sqlite-lock.ts'
import type { AuthAnswer } from '../../api/console/sign-in.ts'
import { systemClock } from '../../runtime/clock.ts'
import { silentLog } from '../../runtime/log.ts'
import { openSqlite } from '../../storage/sqlite/open.ts'
import { openSignIn } from './open.ts'

const LOCK_MS = 700
/** Far above delays of a busy machine. A call that waits for the lock would block for all of `LOCK_MS`. */
const BLOCK_MS_MAX = LOCK_MS / 2

const folder = mkdtempSync(join(tmpdir(), 'radar-sign-in-'))
let opened = 0

async function open(publicUrl = 'http://127.0.0.1:8080') {
  opened += 1
  const file = join(folder, `${opened}.db`)
  const storage = await openSqlite({ file })
  const signIn = openSignIn({
    databaseUrl: `sqlite:${file}`,
    secretKey: Buffer.alloc(32, 7),
    urls: () => ({ publicUrl, localUrl: 'http://127.0.0.1:8080' }),
    log: silentLog,
  })
  const stack = new AsyncDisposableStack()
  stack.use(storage)
  stack.use(signIn)
  return { storage, file, signIn: await signIn.get(), [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('sign-in', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('sign-in accepts the session cookie until sign-out', async () => {
    await using opened = await open()
    const { signIn } = opened
    const user = await signIn.createUser(ANN)
    assert.equal(user?.email, 'ann@example.com')
    const answer = await signIn.answer(
      request('/sign-in/email', { email: ANN.email, password: ANN.password }),
    )
    assert.equal(answer.status, 200)
    const cookie = cookieOf(answer.setCookies)
    assert.deepEqual((await signIn.sessionOf(cookie)).user, user)
    assert.equal((await signIn.answer(request('/sign-out', {}, cookie))).status, 200)
    assert.equal((await signIn.sessionOf(cookie)).user, null)
    assert.equal((await signIn.sessionOf(undefined)).user, null)
  })

  it('a late request of an ended session keeps the cookie of the session that replaced it', async () => {
    await using opened = await open()
    const { signIn } = opened
    await signIn.createUser(ANN)
    const answer = await signIn.answer(
      request('/sign-in/email', { email: ANN.email, password: ANN.password }),
    )
    const cookie = cookieOf(answer.setCookies)
    await signIn.answer(request('/sign-out', {}, cookie))
    const { user, setCookies } = await signIn.sessionOf(cookie)
    assert.deepEqual([user, setCookies], [null, []])
  })

  it('sign-in waits without blocking the process while another process holds the lock', async () => {
    await using opened = await open()
    const { signIn, file } = opened
    await signIn.createUser(ANN)
    await using lock = await holdSqliteLock(file)
    const answered = Promise.withResolvers<AuthAnswer>()
    const blockedMs = await longestBlockMs(async () => {
      signIn
        .answer(request('/sign-in/email', { email: ANN.email, password: 'wrong horse battery' }))
        .then(answered.resolve, answered.reject)
      await setTimeout(LOCK_MS)
    })
    await lock.release()
    assert.equal((await answered.promise).status, 401)
    assert.ok(blockedMs < BLOCK_MS_MAX, `blocked for ${blockedMs} ms`)
  })

  it('sign-in sets cookies that are HttpOnly, SameSite and, behind TLS, Secure', async () => {
    await using opened = await open('https://radar.example.com')
    await opened.signIn.createUser(ANN)
    const [cookie = ''] = await opened.signIn.open(ANN)
    assert.match(cookie, /^__Secure-radar\.session_token=/)
    assert.match(cookie, /HttpOnly/i)
    assert.match(cookie, /SameSite=Strict/i)
    assert.match(cookie, /; Secure/i)
    await using plain = await open()
    await plain.signIn.createUser(ANN)
    const [plainCookie = ''] = await plain.signIn.open(ANN)
    assert.match(plainCookie, /^radar\.session_token=/)
    assert.match(plainCookie, /HttpOnly/i)
    assert.doesNotMatch(plainCookie, /; Secure/i)
  })

  it('retention deletes expired sessions and links, and keeps current ones', async () => {
    await using opened = await open()
    await assertRetention(opened.storage.maintenance, opened.signIn)
  })

  it('sign-in accepts an e-mail address only once, ignoring case', async () => {
    await using opened = await open()
    assert.notEqual(await opened.signIn.createUser(ANN), null)
    assert.equal(await opened.signIn.createUser({ ...ANN, email: 'ANN@example.com' }), null)
    assert.equal((await opened.signIn.userByEmail('Ann@Example.com'))?.name, 'Ann')
  })

  it('sign-in rejects a wrong password and an unknown address with the same message', async () => {
    await using opened = await open()
    await opened.signIn.createUser(ANN)
    const wrong = await opened.signIn.answer(
      request('/sign-in/email', { email: ANN.email, password: 'x'.repeat(12) }),
    )
    const unknown = await opened.signIn.answer(
      request('/sign-in/email', { email: 'b@example.com', password: 'y' }),
    )
    assert.equal(wrong.status, 401)
    assert.equal(wrong.error, 'The e-mail address or the password is wrong.')
    assert.deepEqual([unknown.status, unknown.error], [wrong.status, wrong.error])
    assert.deepEqual(wrong.setCookies, [])
  })

  it('sign-in serves only the routes that the console uses', async () => {
    await using opened = await open()
    for (const path of [
      '/sign-up/email',
      '/delete-user',
      '/get-session',
      '/list-sessions',
      '/../x',
      '/error',
    ]) {
      assert.equal((await opened.signIn.answer(request(path, ANN))).status, 404, path)
    }
    assert.equal(await opened.signIn.userByEmail(ANN.email), null)
  })

  it('sign-in changes a password, and ends the other sessions on request', async () => {
    await using opened = await open()
    const { signIn } = opened
    await signIn.createUser(ANN)
    const here = cookieOf(await signIn.open(ANN))
    const elsewhere = cookieOf(await signIn.open(ANN))
    const change = (body: object) => signIn.answer(request('/change-password', body, here))
    const wrong = await change({ currentPassword: 'wrong', newPassword: 'battery staple' })
    assert.deepEqual([wrong.status, wrong.error], [400, 'The current password is wrong.'])
    const short = await change({ currentPassword: ANN.password, newPassword: 'short' })
    assert.deepEqual([short.status, short.error], [400, 'The new password needs at least 10 characters.'])
    const done = await change({
      currentPassword: ANN.password,
      newPassword: 'battery staple',
      revokeOtherSessions: true,
    })
    assert.equal(done.status, 200)
    assert.equal((await signIn.sessionOf(elsewhere)).user, null)
    assert.equal((await signIn.sessionOf(cookieOf(done.setCookies))).user?.name, 'Ann')
    await assert.rejects(signIn.open(ANN))
    await signIn.open({ ...ANN, password: 'battery staple' })
  })

  it('sign-in removes passkeys and the identity when a password is reset, unless they are kept', async () => {
    await using opened = await open()
    const { signIn } = opened
    const userId = (await signIn.createUser(ANN))?.id ?? ''
    const passkey = { name: 'Laptop', credentialId: 'Y3JlZA', publicKey: 'a2V5', counter: 0, transports: [] }
    await signIn.addPasskey(userId, passkey)
    await signIn.linkIdentity(userId, { issuer: 'https://id.example.com', subject: 'squatter' })
    const reset = async (keepsPasskeys: boolean, newPassword: string, changed = (token: string) => token) => {
      const expiresAt = new Date(systemClock.now().getTime() + 60_000)
      const token = await signIn.createPasswordReset(userId, expiresAt, { keepsPasskeys })
      const answer = await signIn.answer(request('/reset-password', { token: changed(token), newPassword }))
      return [answer.status, (await signIn.passkeys(userId)).length, await signIn.hasIdentity(userId)]
    }
    assert.deepEqual(await reset(true, 'battery staple'), [200, 1, true])
    assert.deepEqual(await reset(false, 'battery staple', (token) => `${token}.k`), [400, 1, true])
    assert.deepEqual(await reset(false, 'short'), [400, 1, true])
    assert.deepEqual(await reset(false, 'staple battery'), [200, 0, false])
  })

  it('sign-in ends all sessions of a user', async () => {
    await using opened = await open()
    const { signIn } = opened
    await signIn.createUser(ANN)
    const cookies = [cookieOf(await signIn.open(ANN)), cookieOf(await signIn.open(ANN))]
    assert.equal((await signIn.answer(request('/revoke-sessions', {}, cookies[0]))).status, 200)
    for (const cookie of cookies) assert.equal((await signIn.sessionOf(cookie)).user, null)
  })

  it('sign-in deletes a removed user with all sessions', async () => {
    await using opened = await open()
    const { signIn } = opened
    const user = await signIn.createUser(ANN)
    const cookie = cookieOf(await signIn.open(ANN))
    assert.deepEqual(await signIn.users([user?.id ?? '', 'nobody']), [user])
    await signIn.removeUser(user?.id ?? '')
    assert.equal((await signIn.sessionOf(cookie)).user, null)
    assert.equal(await signIn.userByEmail(ANN.email), null)
    assert.notEqual(await signIn.createUser(ANN), null)
  })

  it('sign-in treats a forged or truncated cookie as no session', async () => {
    await using opened = await open()
    const { signIn } = opened
    await signIn.createUser(ANN)
    const cookie = cookieOf(await signIn.open(ANN))
    for (const forged of [
      cookie.slice(0, -3),
      `${cookie.slice(0, -3)}abc`,
      'radar.session_token=x',
      '%',
      '',
    ]) {
      assert.equal((await signIn.sessionOf(forged)).user, null, forged)
    }
  })
})
