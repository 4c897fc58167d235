import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { MemberView } from '../../src/contract/console/people.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { API_ROUTES, apiCalls } from '../support/api-calls.ts'
import { CONSOLE_ROUTES, consoleBodies } from '../support/console-calls.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { joined } from '../support/join.ts'
import { startTestService } from '../support/service.ts'

/** Every route of the two APIs that a session can call, as a viewer. */

const running = await startTestService(OBJECT_SETTINGS)
const alice = await tenant(running, 'Alice')
const data = await createAccountData(running, alice.owner, '403000007')
const calls = await apiCalls(running, alice, data)
const vera = await joined(running, alice.owner, 'Vera', 'viewer')
const mia = await joined(running, alice.owner, 'Mia')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const SENTENCE = 'You are a viewer of this account and can change nothing. Ask an owner to make you a member.'
const OWNERS = 'Only an owner of the account may do this.'

/** They read, or are about the user's own access. */
const ALLOWED: ReadonlySet<string> = new Set([
  'POST /passkeys',
  'PATCH /passkeys/:id',
  'DELETE /passkeys/:id',
  'DELETE /second-factor/trusted-browsers',
  'DELETE /sessions/:id',
  'POST /watches/preview',
  'POST /watch-sets/preview',
  'POST /destinations/preview',
])

const bodies = consoleBodies(data.appId)
const ROUTES = [
  ...API_ROUTES.filter(([, { session }]) => session !== 'none').map(([operation, route]) => ({
    method: route.method as string,
    name: `${route.method} ${route.path}`,
    path: `/v1${calls.callOf(operation, route)}`,
    body: calls.bodies[operation] as unknown,
  })),
  ...CONSOLE_ROUTES.filter(({ access, path }) => access !== 'anyone' && path !== '/stream').map((route) => ({
    method: route.method as string,
    name: `${route.method} ${route.path}`,
    path: calls.pathOf(`/api/console${route.path}`).slice('/api/console'.length),
    body: bodies[`${route.method} ${route.path}`],
  })),
]

describe('a viewer', () => {
  it('a viewer sees with every route what a member sees', async () => {
    for (const { name, method, path } of ROUTES) {
      if (method !== 'GET' || /stats|sessions|passkeys|second-factor|search/.test(path)) continue
      const [seen, expected] = [await vera.request('GET', path), await mia.request('GET', path)]
      assert.equal(seen.status, expected.status, `${name}: ${seen.text}`)
    }
  })

  it('a viewer changes nothing, with any route, and is told so in one sentence', async () => {
    for (const { name, method, path, body } of ROUTES) {
      if (method === 'GET') continue
      const answer = await vera.request(method, path, body)
      if (ALLOWED.has(name)) {
        assert.ok(!answer.text.includes(SENTENCE), name)
        continue
      }
      const isOperators = answer.status === 404
      const { error } = answer.json<{ error: string }>()
      assert.ok(isOperators || [SENTENCE, OWNERS].includes(error), `${name}: ${answer.status} ${error}`)
    }
  })

  it('a viewer becomes a member, and a member a viewer, at once', async () => {
    const members = await alice.owner.fetchJson<MemberView[]>('GET', '/members')
    const { id } = members.find(({ name }) => name === 'Vera') ?? assert.fail()
    assert.equal(members.find(({ name }) => name === 'Vera')?.role, 'viewer')
    const mark = () => vera.request('PATCH', `/v1/reviews/${data.fingerprint}/triage`, { status: 'seen' })
    await alice.owner.fetchJson('PATCH', `/members/${id}`, { role: 'member' })
    assert.equal((await mark()).status, 200)
    await alice.owner.fetchJson('PATCH', `/members/${id}`, { role: 'viewer' })
    assert.equal((await mark()).status, 403)
  })
})
