import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SecondFactorView, SessionView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { type Log, silentLog } from '../../src/runtime/log.ts'
import {
  type ConsoleClient,
  consoleClient,
  PASSWORD,
  signedIn,
  signInAgain,
} from '../support/console-client.ts'
import { type Behaviour, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestService, type TestService } from '../support/service.ts'

async function started(settings: Record<string, string> = {}, log: Log = silentLog) {
  await using opened = new AsyncDisposableStack()
  const provider = opened.use(await startIdentityProvider())
  const running = opened.use(await startTestService({ ...provider.settings, ...settings }, { log }))
  const ann = await signedIn(running, 'Ann')
  const closing = opened.move()
  const invite = (email: string, owner: ConsoleClient = ann) => invitedBy(owner, email)
  /** Signs in at the provider. Returns the path to which the browser is sent at last. */
  const enter = async (
    behaviour: Partial<Behaviour> = {},
    more: { invitation?: string; connect?: boolean } = {},
    client = consoleClient(running.url),
  ) => {
    provider.next(behaviour)
    const start = await client.request('POST', '/sso', { next: '/reviews', ...more })
    if (start.status !== 200) return { client, to: start.text }
    const back = await comeBack(running, start.json<{ url: string }>().url)
    const answer = await client.request('GET', back)
    return { client, to: answer.headers.get('location'), back }
  }
  return { provider, running, ann, invite, enter, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** The token of the link. */
async function invitedBy(owner: ConsoleClient, email: string): Promise<string> {
  const { url } = await owner.fetchJson<{ url: string }>('POST', '/invitations', { email, role: 'member' })
  return url.slice(url.lastIndexOf('/') + 1)
}

async function accountOf(client: ConsoleClient): Promise<string | undefined> {
  return (await client.fetchJson<SessionView>('GET', '/session')).account?.id
}

/** The path below `/api/console` to which the provider sends the browser. */
async function comeBack(running: TestService, url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'manual' })
  const location = answer.headers.get('location') ?? ''
  assert.ok(location.startsWith(`${running.url}/api/console/sso/callback?`), location)
  return location.slice(`${running.url}/api/console`.length)
}

async function userOf(client: ConsoleClient): Promise<string | undefined> {
  return (await client.fetchJson<SessionView>('GET', '/session')).user?.email
}

async function newestEntries(owner: ConsoleClient, count: number): Promise<string[]> {
  const { data: entries } = await owner.fetchJson<AuditPage>('GET', '/v1/audit-log')
  return entries
    .slice(0, count)
    .map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`))
}

describe('single sign-on', () => {
  it('single sign-on is not there without an identity provider', async () => {
    await using running = await startTestService()
    const client = consoleClient(running.url)
    assert.equal((await client.request('POST', '/sso', {})).status, 404)
    assert.equal((await client.request('GET', '/sso/callback')).status, 404)
    assert.equal((await client.fetchJson<SessionView>('GET', '/session')).identityProvider, null)
  })

  it('single sign-on accepts the invitation of the only account by the verified address, and then returns', async () => {
    await using service = await started()
    const { ann, invite, enter } = service
    const unknown = await enter()
    assert.equal(unknown.to, '/sign-in?problem=unknown_user&next=%2Freviews')
    assert.equal(await userOf(unknown.client), undefined)
    await invite('BEN@example.com')
    const unverified = await enter({ emailVerified: false })
    assert.equal(unverified.to, '/sign-in?problem=unverified_email&next=%2Freviews')
    const { client, to } = await enter()
    assert.equal(to, '/reviews')
    assert.equal(await userOf(client), 'ben@example.com')
    assert.equal((await client.fetchJson<SecondFactorView>('GET', '/second-factor')).hasPassword, false)
    assert.deepEqual(await newestEntries(ann, 2), [
      'sign_in.succeeded: with Acme ID',
      'invitation.accepted: BEN@example.com',
    ])
    const [session] = await client.fetchJson<{ clientAddress: string }[]>('GET', '/sessions')
    assert.equal(session?.clientAddress, '127.0.0.1')

    // The identity counts from now on, not the address.
    for (const changed of [{ email: 'benjamin@example.com' }, { emailVerified: false }, { email: null }]) {
      assert.equal(await userOf((await enter(changed)).client), 'ben@example.com')
    }
    const successor = await enter({ subject: 'ben-2' })
    assert.equal(successor.to, '/sign-in?problem=unknown_user&next=%2Freviews')
    const invited = await enter({ subject: 'ben-2' }, { invitation: await invite('ben@example.com') })
    assert.equal(await userOf(invited.client), 'ben@example.com')
    const members = await ann.fetchJson<{ email: string }[]>('GET', '/members')
    assert.equal(members.filter(({ email }) => email === 'ben@example.com').length, 2)
  })

  it('single sign-on of a person whose address another account has taken reaches neither that account nor its user', async () => {
    await using service = await started()
    const { ann, invite, enter, running } = service
    const eve = await signedIn(running, 'Eve')
    const taken = consoleClient(running.url)
    await taken.fetchJson('POST', '/invitations/accept', {
      token: await invite('ben@example.com', eve),
      name: 'Ben',
      password: PASSWORD,
    })
    assert.equal((await enter()).to, '/sign-in?problem=unknown_user&next=%2Freviews')
    const before = await newestEntries(eve, 1)
    const { client, to } = await enter({}, { invitation: await invite('ben@example.com') })
    assert.equal(to, '/reviews')
    assert.equal(await accountOf(client), ann.accountId)
    assert.equal(await userOf(client), 'ben@example.com')
    assert.deepEqual(await newestEntries(eve, 1), before, 'the other account does not see the person')

    // The password of the other user still opens the other account only.
    const again = consoleClient(running.url)
    await signInAgain(again, 'ben@example.com')
    assert.equal(await accountOf(again), eve.accountId)
    assert.equal(await accountOf((await enter()).client), ann.accountId)
  })

  it('single sign-on with open invitations of several accounts joins those whose links were opened', async () => {
    await using service = await started()
    const { ann, invite, enter, running } = service
    const link = await invite('ben@example.com')
    const eve = await signedIn(running, 'Eve')
    const foreign = await invite('ben@example.com', eve)
    assert.equal((await enter()).to, '/sign-in?problem=unknown_user&next=%2Freviews')
    const { client } = await enter({ emailVerified: false, name: null }, { invitation: link })
    assert.equal(await accountOf(client), ann.accountId)
    assert.equal(await accountOf((await enter({}, { invitation: foreign })).client), eve.accountId)
    assert.equal(await accountOf(client), ann.accountId, 'another session stays where it is')
    assert.equal(await accountOf((await enter()).client), undefined, 'the person has to choose')
    const used = await enter({ subject: 'eve' }, { invitation: link })
    assert.equal(used.to, '/sign-in?problem=unknown_user&next=%2Freviews')
  })

  it('single sign-on signs in a user with a password only after that user has connected it', async () => {
    await using service = await started({ RADAR_OIDC_EMAIL_DOMAINS: 'example.com, example.org' })
    const { ann, enter, running } = service
    const ofAnn = { email: 'ann@example.com', subject: 'ann' }
    const unverified = await enter({ ...ofAnn, emailVerified: false })
    assert.equal(unverified.to, '/sign-in?problem=unverified_email&next=%2Freviews')
    const foreign = await enter({ ...ofAnn, email: 'ann@example.com.evil.example' })
    assert.equal(foreign.to, '/sign-in?problem=wrong_domain&next=%2Freviews')
    assert.equal((await enter(ofAnn)).to, '/sign-in?problem=unknown_user&next=%2Freviews')

    assert.equal((await consoleClient(running.url).request('POST', '/sso', { connect: true })).status, 401)
    assert.equal((await enter(ofAnn, { connect: true }, ann)).to, '/reviews')
    assert.deepEqual(await newestEntries(ann, 1), ['identity.connected: Acme ID'])
    const { client } = await enter(ofAnn)
    assert.equal(await userOf(client), ann.email)
    const second = await enter({ ...ofAnn, subject: 'ann-2' }, { connect: true }, ann)
    assert.equal(second.to, '/account/sign-in?problem=other_identity')
    const byPassword = await consoleClient(running.url).request('POST', '/auth/sign-in/email', {
      email: ann.email,
      password: PASSWORD,
    })
    assert.equal(byPassword.status, 200, 'the password still works')
    const eve = await signedIn(running, 'Eve')
    assert.equal((await enter(ofAnn, { connect: true }, eve)).to, '/account/sign-in?problem=identity_taken')
    running.clock.leap(16 * 60_000)
    assert.equal((await eve.request('POST', '/sso', { connect: true })).status, 403)
  })

  it('single sign-on connects nothing for a session that was ended while it was at the provider', async () => {
    await using service = await started()
    const { ann: thief, provider, running, enter } = service
    const ofEve = { email: 'eve@example.com', subject: 'eve' }
    provider.next(ofEve)
    const start = await thief.request('POST', '/sso', { connect: true })
    const ann = consoleClient(running.url)
    await signInAgain(ann, thief.email)
    await ann.fetchJson('POST', '/auth/revoke-other-sessions', {})
    const back = await comeBack(running, start.json<{ url: string }>().url)
    const answer = await thief.request('GET', back)
    assert.equal(answer.headers.get('location'), '/account/sign-in?problem=expired')
    assert.equal((await enter(ofEve)).to, '/sign-in?problem=unknown_user&next=%2Freviews')
    const ofAnn = { email: thief.email, subject: 'ann' }
    assert.equal((await enter(ofAnn, { connect: true }, ann)).to, '/reviews')
  })

  it('single sign-on trusts unverified addresses when the operator vouches for them, and logs why it refuses', async () => {
    const refusals: unknown[] = []
    const warn: Log['warn'] = (event, fields) => event === 'sign_in.refused' && refusals.push(fields)
    await using service = await started(
      { RADAR_OIDC_TRUST_EMAIL: 'true', RADAR_OIDC_EMAIL_DOMAINS: 'example.com' },
      { ...silentLog, warn },
    )
    const { invite, enter } = service
    await invite('ben@example.com')
    const wrong = await enter({ emailVerified: null, email: 'ben@example.org' })
    assert.equal(wrong.to, '/sign-in?problem=wrong_domain&next=%2Freviews')
    assert.deepEqual(refusals, [{ problem: 'wrong_domain', subject: 'ben-1' }])
    assert.equal(await userOf((await enter({ emailVerified: null })).client), 'ben@example.com')
  })

  it('single sign-on needs no second factor of a user without a password, also when the account requires one', async () => {
    await using service = await started()
    const { ann, invite, enter } = service
    await service.running.service.storage.people.requireSecondFactor(ann.accountId, true)
    assert.equal((await ann.request('GET', '/members')).status, 403)
    await service.running.service.storage.people.requireSecondFactor(ann.accountId, false)
    await invite('ben@example.com')
    await service.running.service.storage.people.requireSecondFactor(ann.accountId, true)
    const { client } = await enter()
    assert.equal((await client.request('GET', '/members')).status, 200)
  })

  for (const fault of [
    'iss',
    'token_issuer',
    'audience',
    'nonce',
    'key',
    'expired',
    'number of keys',
  ] as const) {
    it(`single sign-on rejects an answer with a wrong ${fault}`, async () => {
      await using service = await started()
      await service.invite('ben@example.com')
      const { client, to } = await service.enter({ fault })
      assert.equal(to, '/sign-in?problem=provider_failed&next=%2Freviews')
      assert.equal(await userOf(client), undefined)
    })
  }

  it('single sign-on rejects a provider with another issuer, and one that is down', async () => {
    await using service = await started()
    const { to } = await service.enter({ fault: 'metadata_issuer' })
    assert.match(to ?? '', /Acme ID does not respond as expected/)
    await using closed = await startTestService({
      ...service.provider.settings,
      RADAR_OIDC_ISSUER: 'http://127.0.0.1:9',
    })
    assert.equal((await consoleClient(closed.url).request('POST', '/sso', {})).status, 503)
  })

  it('single sign-on ends without a session when the person cancels, and keeps the page that was asked for', async () => {
    await using service = await started()
    assert.equal((await service.enter({ cancels: true })).to, '/sign-in?problem=cancelled&next=%2Freviews')
  })

  it('single sign-on rejects an answer in another browser, a second time, and after ten minutes', async () => {
    await using service = await started()
    const { running, provider, invite } = service
    await invite('ben@example.com')
    provider.next({})
    const mine = consoleClient(running.url)
    const { url } = await mine.fetchJson<{ url: string }>('POST', '/sso', {})
    const back = await comeBack(running, url)
    const elsewhere = await consoleClient(running.url).request('GET', back)
    assert.equal(elsewhere.headers.get('location'), '/sign-in?problem=expired')
    assert.equal((await mine.request('GET', back)).headers.get('location'), '/')
    assert.equal((await mine.request('GET', back)).headers.get('location'), '/sign-in?problem=expired')

    const late = consoleClient(running.url)
    const begun = await late.fetchJson<{ url: string }>('POST', '/sso', {})
    const lateBack = await comeBack(running, begun.url)
    running.clock.leap(11 * 60_000)
    assert.equal((await late.request('GET', lateBack)).headers.get('location'), '/sign-in?problem=expired')
  })

  it('single sign-on cannot send the browser to another site', async () => {
    await using service = await started()
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb']) {
      const answer = await consoleClient(service.running.url).request('POST', '/sso', { next })
      assert.equal(answer.status, 400, next)
    }
  })

  it('single sign-on with open sign-up gives new persons an account of their own, whatever their address', async () => {
    await using service = await started({ RADAR_SIGNUP: 'open' })
    const { ann, invite, enter } = service
    await invite('ben@example.com')
    const { client } = await enter()
    const session = await client.fetchJson<SessionView>('GET', '/session')
    assert.deepEqual([session.user?.name, session.role, session.account?.name], ['Ben', 'owner', 'Ben'])
    assert.notEqual(session.account?.id, ann.accountId, 'an invitation of anyone does not count')
    const sameAddress = await enter({ email: ann.email, subject: 'ann' })
    assert.equal(await userOf(sameAddress.client), ann.email)
    assert.notEqual(await accountOf(sameAddress.client), ann.accountId)
    assert.equal(await userOf((await enter()).client), 'ben@example.com')
  })
})
