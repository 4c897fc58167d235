import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { API_PREFIX } from '../../src/contract/route.ts'
import { TOOLS, type Tool } from '../../src/mcp/tools.ts'
import { TOKEN_SCOPES } from '../../src/model/vocabulary.ts'
import { OBJECT_SETTINGS } from '../support/account-objects.ts'
import { API_ROUTES, apiCalls, BULK_OPERATIONS, OPEN_OPERATIONS, urlOf } from '../support/api-calls.ts'
import { CONSOLE_ROUTES, consoleBodies } from '../support/console-calls.ts'
import { createAccountData } from '../support/console-data.ts'
import { type Tenant, tenant } from '../support/interfaces.ts'
import { paramsOf, routesOf } from '../support/route-table.ts'
import { startTestService } from '../support/service.ts'

/** Each route of the running service is called by Bob with ids of Alice, who has one object of each kind. */

const CONSOLE_PREFIX = '/api/console'

let server: FastifyInstance | null = null
const running = await startTestService(OBJECT_SETTINGS, {
  mount: async (fastify) => {
    server = fastify
  },
})
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')
const data = await createAccountData(running, alice.owner, '402000001')
after(async () => {
  await data[Symbol.asyncDispose]()
  await running[Symbol.asyncDispose]()
})
const calls = await apiCalls(running, alice, data)
const SERVED = routesOf(server ?? assert.fail())

/** Who may call without an account: the credential is in the address or the body, or the answer is the same for everybody. */
const WITHOUT_ACCOUNT: ReadonlySet<string> = new Set([
  ...CONSOLE_ROUTES.filter(({ access }) => access === 'anyone').map(
    ({ method, path }) => `${method} ${CONSOLE_PREFIX}${path}`,
  ),
  ...[`POST ${CONSOLE_PREFIX}/auth/*`, 'GET /*', 'GET /schemas/:file'],
  ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/openapi.yaml', '/docs'].map(
    (url) => `GET ${url}`,
  ),
])
/** The tests of tools call it. */
const MCP: ReadonlySet<string> = new Set(['POST /mcp', 'GET /mcp', 'DELETE /mcp'])
const ADDRESSES: ReadonlySet<string> = new Set([
  'GET /atom/:token',
  'GET /unsubscribe/:token',
  'POST /unsubscribe/:token',
])
/** It ends with the session, and sends no data, only the names of what changed. */
const STREAM = `GET ${CONSOLE_PREFIX}/stream`

type Answer = { readonly status: number; readonly text: string }
type IdCall = {
  readonly name: string
  readonly method: string
  readonly url: string
  /** As a client of the service sends it. */
  readonly path: string
  readonly body?: unknown
  readonly by: (who: Tenant) => Promise<Answer>
  /** Whether an id of Alice names what the call is about, so that it does not exist for Bob. */
  readonly isAboutAlice: boolean
  /** With a token and valid values: the call is of Bob alone. */
  readonly mustSucceed: boolean
  readonly mayEcho: boolean
  readonly isForOperators: boolean
}

/** The names of fields that name an object, and those of the stores' own ids. */
const ID_FIELD = /(^|_)(ids?|fingerprint|token)$/
const FOREIGN_FIELDS: ReadonlySet<string> = new Set([
  'key_id',
  'issuer_id',
  'chat_id',
  'thread_id',
  'app_ids',
])

/** Operations whose query or body names the object that they are about. */
const ABOUT_A_BODY: ReadonlySet<string> = new Set([
  'list_ratings',
  'start_replay',
  'create_atom_feed',
  'ask_alert_recipient',
  'preview_replies',
  'reply_to_many',
])

/** The fields at any depth of a schema that name objects. */
function idFieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const found = new Set<string>()
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) found.add(name)
    return value
  })
  return [...found].filter((name) => ID_FIELD.test(name) && !FOREIGN_FIELDS.has(name))
}

/** Fails for a field of a kind that Alice has no object of. */
function idOf(field: string, where: string): unknown {
  return (
    calls.fields[field] ??
    assert.fail(`${where} has "${field}": add an object to test/support/account-objects.ts.`)
  )
}

/** One call for each field of the query that names an object. */
function queriesOf(query: z.ZodType | undefined, where: string): string[] {
  return idFieldsOf(query).map(
    (field) => `?${new URLSearchParams({ store: 'apple', [field]: String(idOf(field, where)) })}`,
  )
}

/** The body names all that its schema can name, with ids of Alice. */
function checkBody(body: unknown, schema: z.ZodType | undefined, where: string): void {
  for (const field of idFieldsOf(schema)) {
    const id = idOf(field, where)
    if (field !== 'app_id')
      assert.ok(JSON.stringify(body).includes(JSON.stringify(id)), `${where}: its body has no ${field}`)
  }
}

const apiIdCalls: readonly IdCall[] = API_ROUTES.flatMap(([operation, route]) => {
  const { method } = route
  const url = urlOf(route)
  const name = `${method} ${url}`
  const body = calls.bodies[operation]
  checkBody(body, route.body, name)
  const isAboutAlice =
    (paramsOf(url).length > 0 || ABOUT_A_BODY.has(operation)) && !OPEN_OPERATIONS.has(operation)
  const first = calls.callOf(operation, route)
  const others = queriesOf(route.query, name).map((query) => `${first.split('?')[0]}${query}`)
  return [first, ...others].flatMap((path) => {
    const call = {
      name,
      method,
      url,
      isForOperators: false,
      path: `${API_PREFIX}${path}`,
      body,
      isAboutAlice,
      mustSucceed: false,
      mayEcho: BULK_OPERATIONS.has(operation),
    }
    const byToken = (who: Tenant) => withToken(who.token, method, call.path, body)
    const bySession = (who: Tenant) => who.owner.request(method, `/v1${path}`, body)
    return route.session === 'none'
      ? [{ ...call, mustSucceed: path === first, by: byToken }]
      : [
          { ...call, mustSucceed: path === first, by: byToken },
          { ...call, by: bySession },
        ]
  })
})

const bodies = consoleBodies(data.appId)
const consoleIdCalls: readonly IdCall[] = CONSOLE_ROUTES.filter(
  ({ access, path }) => access !== 'anyone' && path !== '/stream',
).flatMap((route) => {
  const { method } = route
  const url = `${CONSOLE_PREFIX}${route.path}`
  const name = `${method} ${url}`
  const body = bodies[`${method} ${route.path}`]
  checkBody(body, route.body, name)
  const path = calls.pathOf(url)
  return ['', ...queriesOf(route.query, name)].map((query) => ({
    name,
    method,
    url,
    isForOperators: route.access === 'operator',
    path: `${path}${query}`,
    body,
    isAboutAlice: paramsOf(url).length > 0,
    mustSucceed: false,
    mayEcho: false,
    by: (who: Tenant) => who.owner.request(method, `${path}${query}`.slice(CONSOLE_PREFIX.length), body),
  }))
})
const ID_CALLS = [...apiIdCalls, ...consoleIdCalls]

async function withToken(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return running.request(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

function assertShowsNothing(text: string, sent: unknown, name: string): void {
  const echo = JSON.stringify(sent ?? '')
  for (const value of calls.values)
    assert.ok(echo.includes(value) || !text.includes(value), `${name} reveals ${value}: ${text}`)
}

/** What changes with time, and what a read itself changes. */
const CHANGING = /apps\/search|stats|sessions|overview|system|session$|options$|inbox$/
/** Polls continue. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

async function everything(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const { name, method, path, by } of ID_CALLS)
    if (method === 'GET' && !CHANGING.test(name))
      texts[path] = (await by(alice)).text.replaceAll(INSTANT, 'then')
  return texts
}

describe('isolation', () => {
  it('isolation is tested for every route of the running service', () => {
    const tested = new Set([
      ...ID_CALLS.map(({ name }) => name),
      ...WITHOUT_ACCOUNT,
      ...MCP,
      ...ADDRESSES,
      STREAM,
    ])
    const served = SERVED.map(({ method, url }) => `${method} ${url}`)
    const untested = served.filter((route) => !tested.has(route))
    const unserved = [...tested].filter((route) => !served.includes(route))
    assert.deepEqual({ untested, unserved }, { untested: [], unserved: [] })
  })

  it('isolation hides all objects of an account from another account, and keeps them as they are', async () => {
    const before = await everything()
    for (const { name, path, body, by, isAboutAlice, mustSucceed, mayEcho } of ID_CALLS) {
      const { status, text } = await by(bob)
      if (name.endsWith('/imports/reviews')) assert.match(text, /does not track|must be rows/)
      else if (isAboutAlice) assert.equal(status, 404, `${name}: ${text}`)
      else if (mustSucceed) assert.ok(status < 300, `${name}: ${text}`)
      assert.ok(status < 500, `${name}: ${text}`)
      assertShowsNothing(text, status >= 400 || mayEcho ? [path, body] : body, name)
    }
    for (const address of ADDRESSES) {
      const [method = '', url = ''] = address.split(' ')
      const { status, text } = await withToken(bob.token, method, calls.pathOf(url))
      assert.equal(status, 404, text)
    }
    assert.deepEqual(await everything(), before)
  })
})

type ToolResult = { readonly isError: boolean; readonly text: string }

async function toolResult(token: string, tool: Tool): Promise<ToolResult> {
  const given = Object.entries(tool.input.shape)
    .filter(([field]) => ID_FIELD.test(field) || field === 'store')
    .map(([field]) => [field, idOf(field, tool.name)])
  const needed = Object.keys(tool.input.shape).includes('text') && tool.isChange ? [['text', 'Thanks']] : []
  const params = { name: tool.name, arguments: Object.fromEntries([...given, ...needed]) }
  const answer = await running.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  assert.equal(answer.status, 200, answer.text)
  const line = answer.text.split('\n').find((each) => each.startsWith('data: '))
  const { result } = JSON.parse(line?.slice(6) ?? answer.text) as { result: { isError?: boolean } }
  return { isError: result.isError ?? false, text: JSON.stringify(result) }
}

describe('the tools for language models', () => {
  for (const tool of TOOLS) {
    it(`${tool.name} shows nothing of another account`, async () => {
      const { isError, text } = await toolResult(bob.token, tool)
      if ('fingerprint' in tool.input.shape || tool.name === 'list_ratings') assert.ok(isError, text)
      assertShowsNothing(text, isError ? calls.fields : undefined, tool.name)
    })

    it(`${tool.name} needs the scope of what it calls`, async () => {
      for (const scope of TOKEN_SCOPES) {
        const token = await alice.owner.fetchJson<{ value: string }>('POST', '/tokens', {
          name: scope,
          scopes: [scope],
        })
        const { isError, text } = await toolResult(token.value, tool)
        const { method, path } = tool.call({ ...calls.fields, text: 'x' } as never)
        const url = path.replace(data.fingerprint, '{fingerprint}')
        const [, called] =
          API_ROUTES.find(([, each]) => each.method === method && each.path === url) ?? assert.fail(url)
        const isRefused = isError && text.includes('requires a token with the scope')
        assert.equal(isRefused, !called.scopes.includes(scope), `${scope}: ${text}`)
      }
    })
  }
})

describe('the objects of the isolation test', () => {
  it('the objects of the isolation test exist for their own account, which a call of at least one route shows', async () => {
    const kinds = new Set<string>()
    const reached = new Set<string>()
    // Deletions come last, those of parts before those of the whole.
    const rank = ({ method, url }: IdCall) => (method === 'DELETE' ? 1_000 - url.length : 0)
    const inOrder = ID_CALLS.toSorted((a, b) => rank(a) - rank(b))
    for (const { url, by, isAboutAlice, isForOperators } of inOrder) {
      if (!isAboutAlice || isForOperators) continue
      const { status } = await by(alice)
      for (const kind of paramsOf(url)) {
        kinds.add(kind)
        // A conflict is about an object that exists; a wrong value says nothing.
        if (status < 300 || status === 409) reached.add(kind)
      }
    }
    assert.deepEqual([...reached].toSorted(), [...kinds].toSorted())
  })
})
