import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACCOUNT_HEADER, ACCOUNT_QUERY } from '../../src/contract/console/account-header.ts'
import type { MemberView, SessionView } from '../../src/contract/console/people.ts'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import {
  type ConsoleClient,
  consoleClient,
  PASSWORD,
  signedIn,
  signInAgain,
} from '../support/console-client.ts'
import { startTestService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { until } from '../support/until.ts'

/** A person who belongs to several accounts: Ann owns one, and is a member of Ben's. */

async function started() {
  await using opened = new AsyncDisposableStack()
  const running = opened.use(await startTestService())
  const ben = await signedIn(running, 'Ben')
  const ann = await signedIn(running, 'Ann')
  await join(ann, await invitedBy(ben, 'a.smith@example.com'))
  const closing = opened.move()
  return {
    running,
    ann,
    ben,
    /** Another browser of Ann, before the choice of an account. */
    signIn: async (password?: string) => {
      const client = consoleClient(running.url)
      await signInAgain(client, ann.email, password)
      return client
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The token of the link. */
async function invitedBy(owner: ConsoleClient, email: string): Promise<string> {
  const { url } = await owner.fetchJson<{ url: string }>('POST', '/invitations', { email, role: 'member' })
  return url.slice(url.lastIndexOf('/') + 1)
}

const join = (client: ConsoleClient, token: string) =>
  client.fetchJson('POST', '/invitations/join', { token })
const enter = (client: ConsoleClient, account: string) =>
  client.fetchJson('POST', '/session/account', { account })
const sessionOf = (client: ConsoleClient) => client.fetchJson<SessionView>('GET', '/session')

async function actionsIn(client: ConsoleClient): Promise<string[]> {
  const { data } = await client.fetchJson<AuditPage>('GET', '/v1/audit-log')
  return data.map(({ action, actor }) => `${action} by ${actor.name}`)
}

async function idOf(owner: ConsoleClient, email: string): Promise<string> {
  const members = await owner.fetchJson<MemberView[]>('GET', '/members')
  return members.find((member) => member.email === email)?.id ?? assert.fail()
}

describe('a user of several accounts', () => {
  it('a user of several accounts chooses one at sign-in, and can change it', async () => {
    await using service = await started()
    const { ann, ben, signIn } = service
    const names = [
      { id: ann.accountId, name: "Ann's" },
      { id: ben.accountId, name: "Ben's" },
    ]
    assert.deepEqual((await sessionOf(ann)).account, names[1], 'the accepted invitation is entered')
    const client = await signIn()
    const { user, account, accounts, role, operator } = await sessionOf(client)
    assert.deepEqual([user?.email, account, role, operator], ['ann@example.com', null, null, false])
    assert.deepEqual(accounts, names)
    for (const path of ['/members', '/v1/tracked-apps']) {
      const refused = await client.request('GET', path)
      assert.deepEqual([refused.status, refused.json()], [403, { error: 'Choose an account first.' }])
    }
    await enter(client, ann.accountId)
    assert.equal((await sessionOf(client)).role, 'owner')
    await enter(client, ben.accountId)
    const changed = await sessionOf(client)
    assert.deepEqual([changed.account, changed.role], [names[1], 'member'])
    assert.equal(
      (await client.request('POST', '/invitations', { email: 'x@example.com', role: 'member' })).status,
      403,
    )
    assert.deepEqual((await sessionOf(ben)).accounts, [names[1]], 'a user of one account is asked nothing')
  })

  it('a user of several accounts enters no account of others', async () => {
    await using service = await started()
    const { running, ann, ben } = service
    const cleo = await signedIn(running, 'Cleo')
    for (const account of [cleo.accountId, 'acc_none', ''])
      assert.equal((await ann.request('POST', '/session/account', { account })).status, 404)
    assert.equal((await sessionOf(ann)).account?.id, ben.accountId)
    const stranger = consoleClient(running.url)
    assert.equal((await stranger.request('POST', '/session/account', { account: ben.accountId })).status, 401)
    assert.equal((await stranger.request('POST', '/invitations/join', { token: 'x' })).status, 401)
  })

  it('a user of several accounts leaves traces in each, none of which shows another', async () => {
    await using service = await started()
    const { ann, ben, signIn } = service
    await ann.fetchJson('POST', '/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: 'another long password',
      revokeOtherSessions: false,
    })
    assert.equal((await sessionOf(ann)).account?.id, ben.accountId, 'the new session stays in the account')
    const outside = await signIn('another long password')
    await outside.fetchJson('POST', '/auth/sign-out', {})
    const client = await signIn('another long password')
    await enter(client, ann.accountId)
    await enter(client, ben.accountId)
    const inBens = await actionsIn(ben)
    const inAnns = await actionsIn(await enter(client, ann.accountId).then(() => client))
    assert.deepEqual(inBens.slice(0, 4), [
      'sign_in.succeeded by ann@example.com',
      'password.changed by ann@example.com',
      'sign_in.succeeded by ann@example.com',
      'invitation.accepted by ann@example.com',
    ])
    assert.deepEqual(inAnns.slice(0, 5), [
      'sign_in.succeeded by ann@example.com',
      'sign_in.signed_out by ann@example.com',
      'sign_in.succeeded by ann@example.com',
      'password.changed by ann@example.com',
      'sign_in.signed_out by ann@example.com',
    ])
    const seen = ['/members', '/invitations', '/v1/audit-log', '/session'].map(
      async (path) => (await ben.request('GET', path)).text,
    )
    assert.doesNotMatch((await Promise.all(seen)).join(), new RegExp(`${ann.accountId}|Ann's`))
  })

  it('a user of several accounts leaves traces in each when they end a session or the trust in browsers, and the invited address where they joined', async () => {
    await using service = await started()
    const { ann, ben, signIn } = service
    await signIn()
    const sessions = await ann.fetchJson<{ id: string; current: boolean }[]>('GET', '/sessions')
    await ann.fetchJson('DELETE', `/sessions/${sessions.find(({ current }) => !current)?.id}`)
    await ann.fetchJson('DELETE', '/second-factor/trusted-browsers')
    const entriesOf = async (client: ConsoleClient) =>
      (await client.fetchJson<AuditPage>('GET', '/v1/audit-log')).data
    const inBens = await entriesOf(ben)
    const accepted = inBens.find(({ action }) => action === 'invitation.accepted')
    assert.deepEqual([accepted?.actor.name, accepted?.detail], [ann.email, 'a.smith@example.com'])
    await enter(ann, ann.accountId)
    for (const entries of [inBens, await entriesOf(ann)]) {
      const actions = entries.map(({ action }) => action)
      assert.ok(actions.includes('session.ended') && actions.includes('second_factor.trust_ended'))
    }
  })

  it('a user of several accounts is removed from one, which ends the sessions there, and deleted with the last', async () => {
    await using service = await started()
    const { running, ann, ben, signIn } = service
    const atHome = await signIn()
    await enter(atHome, ann.accountId)
    const cleo = consoleClient(running.url)
    const token = await invitedBy(atHome, 'cleo@example.com')
    await cleo.fetchJson('POST', '/invitations/accept', { token, name: 'Cleo', password: PASSWORD })
    const userId = await idOf(ben, ann.email)
    await ben.fetchJson('DELETE', `/members/${userId}`)
    assert.equal((await sessionOf(ann)).user, null)
    assert.equal((await ann.request('GET', '/members')).status, 401)
    assert.equal((await sessionOf(atHome)).account?.id, ann.accountId)
    assert.equal(
      (await sessionOf(await signIn())).account?.id,
      ann.accountId,
      'with one account nothing is asked',
    )
    await atHome.fetchJson('PATCH', `/members/${await idOf(atHome, 'cleo@example.com')}`, { role: 'owner' })
    await cleo.fetchJson('DELETE', `/members/${userId}`)
    await assert.rejects(signIn(), /could not sign in: 401/)
  })

  it('a user of several accounts stays when one of them is deleted', async () => {
    await using service = await started()
    const { running, ann, ben, signIn } = service
    const { accounts } = running.service.storage
    await accounts.beginDeletion(ben.accountId, running.clock.now())
    assert.equal((await sessionOf(ann)).user, null, 'her session in it has ended')
    await until('the account is deleted', async () => (await accounts.get(ben.accountId)) === null)
    assert.equal((await sessionOf(await signIn())).account?.id, ann.accountId)
  })

  it('a user of several accounts needs the second factor that one of them requires only there', async () => {
    await using service = await started()
    const { ann, ben, signIn } = service
    const uri = await turnOnSecondFactor(ben)
    assert.match(uri, /^otpauth/)
    await ben.fetchJson('PUT', '/second-factor/requirement', { required: true })
    const client = await signIn()
    await enter(client, ann.accountId)
    assert.equal((await client.request('GET', '/members')).status, 200)
    await enter(client, ben.accountId)
    assert.equal((await sessionOf(client)).secondFactorNeeded, true)
    assert.equal((await client.request('GET', '/members')).status, 403)
    await enter(client, ann.accountId)
    assert.equal((await client.request('GET', '/members')).status, 200)
    await enter(client, ben.accountId)
    await turnOnSecondFactor(client)
    assert.equal((await client.request('GET', '/members')).status, 200)
  })

  it('a user of several accounts downloads nothing from a page of the account that the session has left', async () => {
    await using service = await started()
    const { ann, ben } = service
    for (const path of ['/v1/exports/reviews', '/v1/exports/dead-letters']) {
      const statusOf = async (account: string) =>
        (await ann.request('GET', `${path}?${ACCOUNT_QUERY}=${account}`)).status
      assert.deepEqual([await statusOf(ann.accountId), await statusOf(ben.accountId)], [403, 200], path)
    }
  })

  it('a user of several accounts changes nothing from a page of the account that the session has left', async () => {
    await using service = await started()
    const { ann, ben } = service
    const post = (account: string) =>
      ann.request('DELETE', '/second-factor/trusted-browsers', undefined, { [ACCOUNT_HEADER]: account })
    assert.equal((await post(ben.accountId)).status, 204)
    const refused = await post(ann.accountId)
    assert.deepEqual(
      [refused.status, refused.json<{ error: string }>().error],
      [403, 'This page belongs to another account. Reload the page.'],
    )
  })
})

describe('an invitation of a signed-in user', () => {
  it('an invitation of a signed-in user is accepted once, and not by a member', async () => {
    await using service = await started()
    const { running, ann, ben } = service
    const token = await invitedBy(ben, 'anybody@example.com')
    const again = await ann.request('POST', '/invitations/join', { token })
    assert.deepEqual(
      [again.status, again.json()],
      [409, { error: 'You are a member of this account already.' }],
    )
    const cleo = await signedIn(running, 'Cleo')
    await join(cleo, token)
    assert.equal((await sessionOf(cleo)).account?.id, ben.accountId)
    assert.equal((await ann.request('POST', '/invitations/join', { token })).status, 404)
  })

  it('an invitation of a signed-in user leaves their other browsers in the first account', async () => {
    await using service = await started()
    const { running, ben } = service
    const cleo = await signedIn(running, 'Cleo')
    const elsewhere = consoleClient(running.url)
    await signInAgain(elsewhere, cleo.email)
    await join(cleo, await invitedBy(ben, 'cleo@example.com'))
    assert.equal((await sessionOf(elsewhere)).account?.id, cleo.accountId)
  })
})

async function turnOnSecondFactor(client: ConsoleClient): Promise<string> {
  const { uri } = await client.fetchJson<{ uri: string }>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  })
  await client.fetchJson('POST', '/auth/two-factor/verify-totp', { code: totpCode(uri) })
  return uri
}

describe('an e-mail address that somebody else has taken', () => {
  it('an e-mail address that somebody else has taken is only a name: its owner joins with another, and reaches nothing of the first', async () => {
    await using running = await startTestService({ RADAR_SIGNUP: 'open' })
    const ann = await signedIn(running, 'Ann')
    const squatter = consoleClient(running.url)
    const body = { name: 'Ben', email: 'ben@example.com', password: 'a password of somebody' }
    await squatter.fetchJson('POST', '/signup', body)
    const token = await invitedBy(ann, 'ben@example.com')
    const ben = consoleClient(running.url)
    const accept = { token, name: 'Ben', password: PASSWORD }
    const refused = await ben.request('POST', '/invitations/accept', accept)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /already exists.*or use another address/)
    await ben.fetchJson('POST', '/invitations/accept', { ...accept, email: 'ben.owner@example.com' })
    const joined = await sessionOf(ben)
    assert.deepEqual([joined.user?.email, joined.accounts.length], ['ben.owner@example.com', 1])
    assert.equal(joined.account?.id, ann.accountId)
    assert.deepEqual(
      (await sessionOf(squatter)).accounts.map(({ name }) => name),
      ['Ben'],
      'the invitation of the address gave nothing to who has taken it',
    )
    const again = consoleClient(running.url)
    await signInAgain(again, 'ben.owner@example.com')
    assert.equal((await sessionOf(again)).account?.id, ann.accountId)
  })
})
