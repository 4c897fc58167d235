import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { CreatedInvitation, MemberView, SessionView } from '../../src/contract/console/people.ts'
import { createAccountObjects, OBJECT_SETTINGS } from '../support/account-objects.ts'
import { consoleBodies, CONSOLE_ROUTES as ROUTES } from '../support/console-calls.ts'
import { consoleClient, PASSWORD, signedIn } from '../support/console-client.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService(OBJECT_SETTINGS)
const tenantAlice = await tenant(running, 'Alice')
const alice = tenantAlice.owner
const bob = await signedIn(running, 'Bob')
const data = await createAccountData(running, alice, '401000001')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const [aliceMember] = (await alice.request('GET', '/members')).json<MemberView[]>()

const BODIES = consoleBodies(data.appId)
const objects = await createAccountObjects(running, tenantAlice, data)
const pathOf = (path: string) => objects.pathOf(path)

const named = (route: { method: string; path: string }) => `${route.method} ${route.path}`
const changing = ROUTES.filter(({ method }) => method !== 'GET')

describe('every route of the console', () => {
  it('every route of the console that needs a body has one in this test', () => {
    const wanting = ROUTES.filter(({ body }) => body !== undefined).map(named)
    assert.deepEqual(Object.keys(BODIES).sort(), wanting.sort())
  })

  for (const route of ROUTES.filter(({ access }) => access !== 'anyone')) {
    it(`${named(route)} requires a session, and no token replaces it`, async () => {
      const headers = { authorization: `Bearer ${data.token.value}`, 'x-api-key': data.token.value }
      const client = consoleClient(running.url)
      const answer = await client.request(route.method, pathOf(route.path), BODIES[named(route)], headers)
      assert.equal(answer.status, 401, answer.text)
      assert.deepEqual(answer.json(), { error: 'You are not signed in.' })
    })
  }

  for (const route of changing) {
    it(`${named(route)} rejects requests from another site`, async () => {
      const bobsQueries: Record<string, string>[] = [
        { 'x-radar-console': '0' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of bobsQueries) {
        const answer = await alice.request(route.method, pathOf(route.path), BODIES[named(route)], headers)
        assert.equal(answer.status, 403, JSON.stringify(headers))
        assert.match(answer.json<{ error: string }>().error, /^[A-Z].*\.$/)
      }
    })
  }
})

describe('another account', () => {
  it('another account sees the reviews of a shared app, and no delivery of the other account', async () => {
    await bob.request('PUT', `/v1/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
    const review = (await bob.request('GET', `/v1/reviews/${data.fingerprint}`)).json<{ events: unknown[] }>()
    assert.deepEqual(review.events, [])
    const own = (await alice.request('GET', `/v1/reviews/${data.fingerprint}`)).json<{ events: unknown[] }>()
    assert.equal(own.events.length, 1)
    await bob.request('DELETE', `/v1/tracked-apps/apple/${data.appId}`)
    assert.equal((await bob.request('GET', `/v1/reviews/${data.fingerprint}`)).status, 404)
  })

  it('another account sees the system page only as the operator', async () => {
    assert.equal((await bob.request('GET', '/system')).status, 404)
    assert.equal((await bob.request('GET', '/system/feeds/1/raw')).status, 404)
    const system = await alice.request('GET', '/system')
    assert.equal(system.status, 200)
    const { settings } = system.json<{ settings: { name: string; value: string }[] }>()
    assert.equal(settings.find(({ name }) => name === 'RADAR_RETRY_WAITS')?.value, '50ms,50ms')
  })
})

describe('hostile ids', () => {
  const HOSTILE = [
    "'",
    '%',
    '%00',
    '..%2f..',
    '%F0%9F%98%80',
    '*',
    'x'.repeat(499),
    'x'.repeat(2_000),
    '%E0%80',
    '-1',
    'null',
  ]

  for (const route of ROUTES.filter(({ path, access }) => path.includes(':') && access !== 'anyone')) {
    it(`hostile ids in ${named(route)} are not found`, async () => {
      for (const hostile of HOSTILE) {
        const path = route.path.replace(/:\w+/g, (name) => (name === ':store' ? 'apple' : hostile))
        const answer = await alice.request(route.method, path, BODIES[named(route)])
        assert.ok([400, 404].includes(answer.status), `${hostile}: ${answer.status} ${answer.text}`)
        // An invalid request also names its fields.
        const { fields: _, ...rest } = answer.json<{ error: string; fields?: object }>()
        assert.deepEqual(Object.keys(rest), ['error'])
      }
    })
  }
})

describe('members and owners', () => {
  const guest = consoleClient(running.url)

  it('an invitation adds one member, with its role', async () => {
    const invitation = (
      await alice.request('POST', '/invitations', { email: 'carol@example.com', role: 'member' })
    ).json<CreatedInvitation>()
    assert.ok(invitation.url.startsWith(`${running.url}/accept/`))
    const token = decodeURIComponent(new URL(invitation.url).pathname.split('/').at(-1) ?? '')
    const wrong = await guest.request('POST', '/invitations/accept', {
      token: `${token}x`,
      name: 'C',
      password: PASSWORD,
    })
    assert.equal(wrong.status, 404)
    const body = { token, name: 'Carol', password: PASSWORD }
    const short = await guest.request('POST', '/invitations/accept', { ...body, password: 'short' })
    assert.equal(short.status, 400)
    assert.equal((await guest.request('POST', '/invitations/accept', body)).status, 204)
    const session = (await guest.request('GET', '/session')).json<SessionView>()
    assert.deepEqual(
      [session.user?.email, session.role, session.operator, session.account?.id],
      ['carol@example.com', 'member', false, alice.accountId],
    )
    assert.equal((await consoleClient(running.url).request('POST', '/invitations/accept', body)).status, 404)
    const open = (await alice.request('GET', '/invitations')).text
    assert.ok(!open.includes('carol@example.com') && !open.includes(token))
  })

  it('a user cannot be invited into a second account', async () => {
    const made = (
      await alice.request('POST', '/invitations', { email: bob.email, role: 'owner' })
    ).json<CreatedInvitation>()
    const token = new URL(made.url).pathname.split('/').at(-1) ?? ''
    const answer = await consoleClient(running.url).request('POST', '/invitations/accept', {
      token,
      name: 'B',
      password: PASSWORD,
    })
    assert.equal(answer.status, 409)
    assert.equal((await bob.request('GET', '/session')).json<SessionView>().account?.id, bob.accountId)
  })

  it('a member sees everything and manages destinations, but not tokens, members or invitations', async () => {
    for (const path of [
      '/members',
      '/invitations',
      '/v1/tokens',
      '/destinations',
      '/overview',
      '/v1/tracked-apps',
      '/v1/dead-letters',
    ]) {
      assert.equal((await guest.request('GET', path)).status, 200, path)
    }
    for (const route of ROUTES.filter(({ access }) => access === 'owner')) {
      const answer = await guest.request(route.method, pathOf(route.path), BODIES[named(route)])
      assert.equal(answer.status, 403, named(route))
      assert.equal(answer.json<{ error: string }>().error, 'Only an owner of the account may do this.')
    }
    assert.equal((await guest.request('GET', '/system')).status, 404)
    const made = await guest.request('POST', '/destinations', { target_url: 'https://example.com/carol' })
    assert.equal(made.status, 200)
    assert.equal((await guest.request('DELETE', `/v1/hooks/${made.json<{ id: string }>().id}`)).status, 204)
  })

  it('an owner changes roles and removes members, which ends their sessions; the last owner cannot be removed', async () => {
    const members = (await alice.request('GET', '/members')).json<MemberView[]>()
    const carol = members.find(({ email }) => email === 'carol@example.com')
    assert.ok(carol)
    assert.deepEqual(
      members.filter(({ you }) => you).map(({ email }) => email),
      [alice.email],
    )
    const last = await alice.request('PATCH', `/members/${aliceMember?.id}`, { role: 'member' })
    assert.equal(last.status, 409)
    assert.equal((await alice.request('DELETE', `/members/${aliceMember?.id}`)).status, 409)
    const raised = await alice.request('PATCH', `/members/${carol.id}`, { role: 'owner' })
    assert.equal(raised.json<MemberView>().role, 'owner')
    assert.equal((await guest.request('POST', '/tokens', { name: 'owner token' })).status, 200)
    assert.equal((await alice.request('DELETE', `/members/${carol.id}`)).status, 204)
    assert.equal((await guest.request('GET', '/members')).status, 401)
    assert.equal((await guest.request('GET', '/session')).json<SessionView>().user, null)
  })
})
