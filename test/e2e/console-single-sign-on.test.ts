import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SecondFactorView, SessionView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { type ConsoleClient, consoleClient, PASSWORD, signedIn } from '../support/console-client.ts'
import { type Behaviour, startIdentityProvider } from '../support/identity-provider.ts'
import { startTestService, type TestService } from '../support/service.ts'

async function started(settings: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack()
  const provider = opened.use(await startIdentityProvider())
  const running = opened.use(await startTestService({ ...provider.settings, ...settings }))
  const ann = await signedIn(running, 'Ann')
  const closing = opened.move()
  const invite = (email: string) => ann.fetchJson('POST', '/invitations', { email, role: 'member' })
  /** Signs in at the provider. Returns the path to which the browser is sent at last. */
  const enter = async (behaviour: Partial<Behaviour> = {}, client = consoleClient(running.url)) => {
    provider.next(behaviour)
    const start = await client.request('POST', '/sso', { next: '/reviews' })
    if (start.status !== 200) return { client, to: start.text }
    const back = await comeBack(running, start.json<{ url: string }>().url)
    const answer = await client.request('GET', back)
    return { client, to: answer.headers.get('location'), back }
  }
  return { provider, running, ann, invite, enter, [Symbol.asyncDispose]: () => closing.disposeAsync() }
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

  it('single sign-on signs in an invited person, who becomes a member without a password, and then returns', async () => {
    await using service = await started()
    const { ann, invite, enter } = service
    const unknown = await enter()
    assert.equal(unknown.to, '/sign-in?problem=unknown_user&next=%2Freviews')
    assert.equal(await userOf(unknown.client), undefined)
    await invite('BEN@example.com')
    const { client, to } = await enter()
    assert.equal(to, '/reviews')
    assert.equal(await userOf(client), 'ben@example.com')
    assert.equal((await client.fetchJson<SecondFactorView>('GET', '/second-factor')).hasPassword, false)
    assert.deepEqual(await newestEntries(ann, 2), ['sign_in.succeeded: with Acme ID', 'invitation.accepted'])
    const [session] = await client.fetchJson<{ clientAddress: string }[]>('GET', '/sessions')
    assert.equal(session?.clientAddress, '127.0.0.1')

    // The identity counts from now on, not the address.
    const renamed = await enter({ email: 'benjamin@example.com' })
    assert.equal(await userOf(renamed.client), 'ben@example.com')
    const successor = await enter({ subject: 'ben-2' })
    assert.equal(successor.to, '/sign-in?problem=other_identity&next=%2Freviews')
    assert.deepEqual(await newestEntries(ann, 1), [
      'sign_in.failed: ben@example.com, Acme ID: other_identity',
    ])
  })

  it('single sign-on signs in a member by the verified address of an allowed domain', async () => {
    await using service = await started({ RADAR_OIDC_EMAIL_DOMAINS: 'example.com, example.org' })
    const { ann, enter } = service
    const ofAnn = { email: 'ann@example.com', subject: 'ann' }
    const unverified = await enter({ ...ofAnn, emailVerified: false })
    assert.equal(unverified.to, '/sign-in?problem=unverified_email&next=%2Freviews')
    const foreign = await enter({ ...ofAnn, email: 'ann@example.com.evil.example' })
    assert.equal(foreign.to, '/sign-in?problem=wrong_domain&next=%2Freviews')
    const { client } = await enter(ofAnn)
    assert.equal(await userOf(client), ann.email)
    const byPassword = await consoleClient(service.running.url).request('POST', '/auth/sign-in/email', {
      email: ann.email,
      password: PASSWORD,
    })
    assert.equal(byPassword.status, 200, 'the password still works')
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

  it('single sign-on with open sign-up gives new persons an account, and trusts no address', async () => {
    await using service = await started({ RADAR_SIGNUP: 'open' })
    const { ann, invite, enter } = service
    await invite('ben@example.com')
    const { client } = await enter()
    const session = await client.fetchJson<SessionView>('GET', '/session')
    assert.deepEqual([session.user?.name, session.role, session.account?.name], ['Ben', 'owner', 'Ben'])
    assert.notEqual(session.account?.id, ann.accountId, 'an invitation of anyone does not count')
    assert.equal(
      (await enter({ email: ann.email, subject: 'ann' })).to,
      '/sign-in?problem=password_user&next=%2Freviews',
    )
    assert.equal(await userOf((await enter()).client), 'ben@example.com')
  })
})
