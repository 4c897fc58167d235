import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type ConsoleDeps, consoleRoutes } from '../../src/api/console/console.ts'
import type { CreatedInvitation, MemberView, SessionView } from '../../src/contract/console/people.ts'
import { createOperations, type OperationsDeps } from '../../src/operations/operations.ts'
import { consoleClient, PASSWORD, signedIn } from '../support/console-client.ts'
import { createAccountData } from '../support/console-data.ts'
import { startTestService } from '../support/service.ts'

/** Only the table of routes is used. Its operations are never called. */
const operations = createOperations({} as OperationsDeps)
const ROUTES = consoleRoutes({ operations } as Partial<ConsoleDeps> as ConsoleDeps).filter(
  ({ path }) => path !== '/auth/*',
)

const running = await startTestService()
const alice = await signedIn(running, 'Alice')
const bob = await signedIn(running, 'Bob')
const data = await createAccountData(running, alice, '401000001')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const watch = { store: 'apple', app_id: data.appId, event_type: 'review.created' }
const watchSet = { apps: 'all', event_type: 'review.created' }

/** A valid body, so that only authorization can reject the request. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /destinations': { target_url: 'https://example.com/hook' },
  'POST /destinations/preview': {
    target_type: 'slack',
    target_settings: { url: 'https://hooks.slack.com/services/T1/B1/x' },
    event_type: 'review.created',
  },
  'POST /watch-sets/preview': watchSet,
  'POST /inbox': {},
  'POST /sso': {},
  'POST /passkeys': { name: 'one', response: {} },
  'PATCH /passkeys/:id': { name: 'one' },
  'POST /passkey-sign-in': { response: {} },
  'PUT /second-factor/requirement': { required: false },
  'POST /watches/preview': watch,
  'POST /tokens': { name: 'one' },
  'POST /invitations': { email: 'x@example.com', role: 'member' },
  'PATCH /members/:userId': { role: 'member' },
  'POST /invitations/accept': { token: 'x', name: 'X', password: PASSWORD },
  'POST /setup': { code: 'x', name: 'X', email: 'x@example.com', password: PASSWORD },
  'POST /signup': { name: 'X', email: 'x@example.com', password: PASSWORD },
}

const [aliceMember] = (await alice.request('GET', '/members')).json<MemberView[]>()

/** The path with Alice's ids in it. */
function pathOf(path: string): string {
  const id = path.startsWith('/destinations')
    ? data.destination.id
    : path.startsWith('/tokens')
      ? data.token.id
      : path.startsWith('/system')
        ? '1'
        : data.invitation.id
  const values: Record<string, string> = {
    ':store': 'apple',
    ':app_id': data.appId,
    ':userId': aliceMember?.id ?? '',
    ':id': id,
  }
  return path.replace(/:\w+/g, (name) => values[name] ?? name)
}

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
  const before: Record<string, string> = {}
  const seen = [
    '/v1/tracked-apps',
    '/destinations',
    '/v1/dead-letters',
    '/v1/deliveries',
    '/v1/replays',
    '/v1/tokens',
    '/members',
    '/invitations',
    '/v1/audit-log',
  ]

  it("another account cannot read or change another account's data by any route", async () => {
    for (const path of seen) before[path] = (await alice.request('GET', path)).text
    const hers = [
      ...Object.values(data).filter((value) => typeof value === 'string' && value !== 'us'),
      data.destination.id,
      data.destination.targetUrl,
      data.invitation.id,
      data.token.id,
      alice.email,
      alice.accountId,
    ].map(String)
    for (const route of ROUTES.filter(({ path, access }) => path !== '/stream' && access !== 'anyone')) {
      const path = pathOf(route.path)
      const answer = await bob.request(route.method, path, BODIES[named(route)])
      const names = path !== route.path
      if (names) {
        assert.equal(answer.status, 404, `${named(route)}: ${answer.status} ${answer.text}`)
      }
      for (const value of hers) {
        const echoed = route.method !== 'GET' && JSON.stringify(BODIES[named(route)] ?? '').includes(value)
        assert.ok(echoed || !answer.text.includes(value), `${named(route)} reveals ${value}`)
      }
    }
    for (const path of seen) assert.equal((await alice.request('GET', path)).text, before[path], path)
  })

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
