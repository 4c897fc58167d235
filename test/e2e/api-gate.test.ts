import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { apiCalls, OPEN_OPERATIONS as OPEN, API_ROUTES as ROUTES } from '../support/api-calls.ts'
import { createAccountData } from '../support/console-data.ts'
import { tenant } from '../support/interfaces.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService(OBJECT_SETTINGS)
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')
const data = await createAccountData(running, alice.owner, '402000001')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})

const { bodies: BODIES, callOf } = await apiCalls(running, alice, data)

describe('a token of another account', () => {
  it('a token of another account reads the reviews of a shared app, but no event of the other account', async () => {
    const path = `/reviews/${data.fingerprint}`
    await bob.api('PUT', `/tracked-apps/apple/${data.appId}`, { countries: ['us'] })
    const shared = (await bob.api('GET', path)).json<{ body: string; events: unknown[] }>()
    assert.equal(shared.body, data.secretText)
    assert.deepEqual(shared.events, [])
    assert.equal((await alice.api('GET', path)).json<{ events: unknown[] }>().events.length, 1)
    await bob.api('DELETE', `/tracked-apps/apple/${data.appId}`)
    assert.equal((await bob.api('GET', path)).outcome, 'not_found')
  })
})

describe('a token with one scope', () => {
  for (const scope of TOKEN_SCOPES) {
    it(`a token with one scope is rejected by exactly the routes that need a scope other than "${scope}"`, async () => {
      const made = await alice.owner.fetchJson<{ value: string }>('POST', '/tokens', {
        name: scope,
        scopes: [scope],
      })
      for (const [operation, route] of ROUTES) {
        // The ids do not exist, so allowed calls change nothing.
        const path = `/api/v1${route.path.replace(/\{\w+\}/g, 'x')}`
        const answer = await running.request(path, {
          method: route.method,
          headers: { authorization: `Bearer ${made.value}` },
        })
        const allowed = route.scopes.length === 0 || route.scopes.includes(scope)
        assert.equal(answer.status === 403, !allowed, `${operation}: ${answer.status} ${answer.text}`)
        if (allowed) continue
        assert.deepEqual(answer.json(), {
          error: `This request requires a token with the scope ${route.scopes.join(' or ')}; this token has ${scope}.`,
        })
      }
    })
  }

  it('a token with one scope has its scopes and expiry in `me`, and its network in the list of tokens', async () => {
    const made = await alice.owner.fetchJson<{ value: string; id: string }>('POST', '/tokens', {
      name: 'short',
      scopes: ['operate'],
      expires_in_days: 1,
    })
    const get = (path: string) =>
      running.request(`/api/v1${path}`, { headers: { authorization: `Bearer ${made.value}` } })
    const me = (await get('/me')).json() as { token_scopes: string[]; token_expires_at: string }
    assert.deepEqual(me.token_scopes, ['operate'])
    assert.ok(Date.parse(me.token_expires_at) > running.clock.now().getTime())
    const tokens = (await get('/tokens')).json() as { id: string; last_used_network: string }[]
    assert.equal(tokens.find(({ id }) => id === made.id)?.last_used_network, '127.0.0.0/24')
    assert.ok(!(await get('/tokens')).text.includes(made.value))
  })
})

describe('every route of the API', () => {
  it('every route of the API returns data of its own account that matches its schema', async () => {
    for (const [operation, route] of ROUTES.filter(([, { method }]) => method === 'GET')) {
      const answer = await alice.api('GET', callOf(operation, route))
      assert.equal(answer.outcome, 'done', `${operation}: ${answer.text}`)
      if (route.success.rows) {
        for (const line of answer.text.trimEnd().split('\n')) {
          assert.deepEqual(route.success.schema?.parse(JSON.parse(line)), JSON.parse(line), operation)
        }
      } else assert.deepEqual(route.success.schema?.parse(answer.json()), answer.json(), operation)
    }
  })

  for (const [operation, route] of ROUTES) {
    it(`${operation} requires a token`, async () => {
      const answer = await running.request(`/api/v1${callOf(operation, route)}`, { method: route.method })
      assert.equal(answer.status, 401)
      assert.deepEqual(Object.keys(answer.json() as object), ['error'])
    })
  }

  const HOSTILE = ["'", '%', '%00', '..%2f..', '%F0%9F%98%80', '*', 'x'.repeat(499), '%E0%80', '-1', 'null']
  for (const [operation, route] of ROUTES.filter(([, { params }]) => params !== undefined)) {
    it(`${operation} rejects a hostile id`, async () => {
      for (const hostile of HOSTILE) {
        const path = route.path.replace(/\{\w+\}/g, (name) => (name === '{store}' ? 'apple' : hostile))
        const answer = await running.request(`/api/v1${path}`, {
          method: route.method,
          headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
          ...(BODIES[operation] && { body: JSON.stringify(BODIES[operation]) }),
        })
        const allowed = OPEN.has(operation) ? [204, 400, 404] : [400, 404]
        assert.ok(allowed.includes(answer.status), `${hostile}: ${answer.status} ${answer.text}`)
      }
    })
  }

  const WRONG: Readonly<Record<string, readonly string[]>> = {
    '/reviews': ['limit=0', 'limit=201', 'limit=1e9', 'stars=6', 'stars=1,,2', 'since=yesterday', 'theme=x'],
    '/exports/reviews': ['format=xml', 'language=deu', 'country=xx', 'is_bug_report=1'],
    '/deliveries': ['cursor=-1', 'cursor=x', 'http_status=99', 'status=gone', 'until=x', 'reason=x'],
    '/events': ['after=x', 'after=-1', 'wait=31', 'wait=x', 'limit=0'],
    '/ratings': ['', 'store=apple', 'store=apple&app_id=', 'store=apple&app_id=1&cursor=1'],
    '/stats': ['interval=year', 'since=2020-01-01T00:00:00Z'],
    '/apps/search': ['', 'q=', 'q=x&store=windows', `q=${'x'.repeat(301)}`],
  }
  for (const [path, queries] of Object.entries(WRONG)) {
    it(`${path} names the field that is not allowed`, async () => {
      for (const query of queries) {
        const answer = await alice.api('GET', `${path}?${query}`)
        assert.equal(answer.outcome, 'invalid', query)
        const field = query.split('&').at(-1)?.split('=')[0] || (path === '/ratings' ? 'store' : 'q')
        if (query !== 'store=apple') assert.match(answer.error, new RegExp(`^${field} `), answer.error)
      }
    })
  }
})
