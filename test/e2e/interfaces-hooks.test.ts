import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import type { HookWithWatches } from '../../src/model/hook.ts'
import { WATCHES_MAX } from '../../src/model/hook-limits.ts'
import { newId } from '../../src/model/ids.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import { type CallResult, forEachInterface, type Tenant, tenant } from '../support/interfaces.ts'
import { signatureOf, startReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'

const running = await startTestService()
after(() => running[Symbol.asyncDispose]())
const alice = await tenant(running, 'Alice')
const bob = await tenant(running, 'Bob')

const WATCH: Readonly<Record<string, unknown>> = {
  store: 'apple',
  app_id: '310633997',
  event_type: 'review.created',
}

const WATCH_SET = { apps: 'all', event_type: 'review.created', max_stars: 2 }

type NewHook = { readonly targetUrl: string; readonly watch?: Readonly<Record<string, unknown>> }

/** The operations on hooks, through every interface. */
type HookInterface = {
  readonly create: (who: Tenant, hook: NewHook) => Promise<CallResult>
  readonly list: (who: Tenant) => Promise<CallResult>
  readonly get: (who: Tenant, id: string) => Promise<CallResult>
  readonly remove: (who: Tenant, id: string) => Promise<CallResult>
  readonly test: (who: Tenant, id: string) => Promise<CallResult>
}

const INTERFACES: Readonly<Record<string, HookInterface>> = {
  'REST API': {
    create: (who, { targetUrl, watch = WATCH }) =>
      who.api('POST', '/hooks', { target_url: targetUrl, ...watch }),
    list: (who) => who.api('GET', '/hooks'),
    get: (who, id) => who.api('GET', `/hooks/${id}`),
    remove: (who, id) => who.api('DELETE', `/hooks/${id}`),
    test: (who, id) => who.api('POST', `/hooks/${id}/test`),
  },
  console: {
    create: (who, { targetUrl, watch = WATCH }) =>
      who.console('POST', '/destinations', { target_url: targetUrl, watch }),
    list: (who) => who.console('GET', '/destinations'),
    get: (who, id) => who.console('GET', `/destinations/${id}`),
    remove: (who, id) => who.console('DELETE', `/v1/hooks/${id}`),
    test: (who, id) => who.console('POST', `/v1/hooks/${id}/test`),
  },
}

const EXAMPLE = { targetUrl: 'https://example.com/hook' }

const stored = (who: Tenant, id: string) => running.service.storage.hooks.get(who.accountId, id)

async function made(via: HookInterface, who: Tenant, hook: NewHook = EXAMPLE): Promise<HookWithWatches> {
  const answer = await via.create(who, hook)
  assert.equal(answer.outcome, 'done', answer.error)
  return (await stored(who, answer.json<{ id: string }>().id)) ?? assert.fail('the hook is not stored')
}

forEachInterface(INTERFACES, 'a new hook is active, with one secret that is shown once', async (via) => {
  const answer = await via.create(alice, EXAMPLE)
  const { id, secret } = answer.json<{ id: string; secret: string }>()
  assert.match(secret, /^whsec_/)
  const hook = (await stored(alice, id)) ?? assert.fail()
  assert.deepEqual([hook.status, hook.secrets.length, hook.ratePerSecond], ['active', 1, null])
  for (const shown of [await via.get(alice, id), await via.list(alice)]) {
    assert.equal(shown.outcome, 'done')
    assert.ok(shown.text.includes(id) && !shown.text.includes(secret))
  }
})

test('the API and the console create the same hook from the same input', async () => {
  const inputs = [
    WATCH,
    { ...WATCH, app_id: ' 310633997 ', min_stars: 2, max_stars: 3, country: 'de' },
    { ...WATCH, store: 'google', app_id: 'a'.repeat(255) },
    { ...WATCH, event_type: 'rating.dropped', delta: 0.1, threshold: 4.5 },
  ]
  for (const watch of inputs) {
    const hooks = await Promise.all(
      Object.values(INTERFACES).map((via) => made(via, alice, { ...EXAMPLE, watch })),
    )
    const [first, ...others] = hooks.map(comparable)
    assert.ok(others.length > 0)
    for (const other of others) assert.deepEqual(other, first)
  }
})

forEachInterface(INTERFACES, 'a hook of Zapier has the rate limit of Zapier', async (via) => {
  const hook = await made(via, alice, { targetUrl: 'https://hooks.zapier.com/hooks/standard/1/2/' })
  assert.equal(hook.ratePerSecond, 25)
})

const BAD_TARGETS = [
  'ftp://example.com',
  '/hook',
  'https://a b',
  'https://user:secret@example.com/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  `https://example.com/${'x'.repeat(2_048)}`,
]

forEachInterface(INTERFACES, 'a blocked target is rejected, and the error names the field', async (via) => {
  const before = (await via.list(alice)).json<unknown[]>().length
  for (const targetUrl of BAD_TARGETS) {
    const { outcome, error } = await via.create(alice, { targetUrl })
    assert.equal(outcome, 'invalid', targetUrl)
    assert.match(error, /^target_url /)
  }
  assert.equal((await via.list(alice)).json<unknown[]>().length, before)
})

const BAD_WATCHES: readonly Readonly<Record<string, unknown>>[] = [
  { store: 'steam' },
  { app_id: '' },
  { app_id: ' ' },
  { app_id: 'a\0b' },
  { app_id: '\ud800' },
  { app_id: 'a'.repeat(256) },
  { event_type: 'review.updated' },
  { min_stars: 0 },
  { max_stars: 6 },
  { min_stars: 1.5 },
  { min_stars: 4, max_stars: 2 },
  { country: 'ch' },
  { event_type: 'rating.dropped' },
  { event_type: 'rating.dropped', delta: 4.1 },
  { event_type: 'rating.dropped', delta: '1' },
  { event_type: 'rating.dropped', threshold: 0.9 },
]

forEachInterface(INTERFACES, 'a watch that cannot match any event is rejected', async (via) => {
  for (const wrong of BAD_WATCHES) {
    const { outcome } = await via.create(alice, { ...EXAMPLE, watch: { ...WATCH, ...wrong } })
    assert.equal(outcome, 'invalid', JSON.stringify(wrong))
  }
})

forEachInterface(INTERFACES, 'a test event is signed, sent once and kept with its attempt', async (via) => {
  await using receiver = await startReceiver()
  const answer = await via.create(alice, { targetUrl: receiver.url })
  const { id, secret } = answer.json<{ id: string; secret: string }>()
  assert.equal((await via.test(alice, id)).outcome, 'done')
  const [request] = await receiver.received(1)
  assert.ok(request)
  assert.equal(request.headers['x-radar-signature'], signatureOf(request.body, secret))
  const event = JSON.parse(request.body.toString())
  assert.deepEqual(
    [event.event_type, event.store, event.app_id, event.subscriber_id],
    ['review.created', 'apple', '310633997', id],
  )
  const page = (await alice.console('GET', `/destinations/${id}`)).json<DestinationPage>()
  assert.deepEqual(
    page.tests.map(({ http_status, url }) => [http_status, url]),
    [[204, receiver.url]],
  )
  assert.equal(receiver.requests.length, 1)
})

forEachInterface(INTERFACES, 'a removed hook is not found through any interface', async (via) => {
  const { id } = await made(via, alice)
  assert.equal((await via.remove(alice, id)).outcome, 'done')
  for (const each of Object.values(INTERFACES)) {
    for (const ask of [each.get, each.test, each.remove]) {
      assert.equal((await ask(alice, id)).outcome, 'not_found')
    }
    assert.ok(!(await each.list(alice)).text.includes(id))
  }
})

forEachInterface(
  INTERFACES,
  'a hook of another account gives the same error as a hook that does not exist',
  async (via) => {
    const { id } = await made(via, alice)
    const before = await stored(alice, id)
    for (const ask of [via.get, via.test, via.remove]) {
      const [ofOtherAccount, none] = [await ask(bob, id), await ask(bob, 'api-0')]
      assert.equal(ofOtherAccount.outcome, 'not_found')
      assert.equal(ofOtherAccount.error, 'The account has no hook with this id.')
      assert.deepEqual([none.outcome, none.error], [ofOtherAccount.outcome, ofOtherAccount.error])
    }
    assert.ok(!(await via.list(bob)).text.includes(id))
    assert.deepEqual(await stored(alice, id), before)
  },
)

test("the API, the console and the command list an account's hooks oldest first", async () => {
  const hook = await made(INTERFACES['REST API'] ?? assert.fail(), bob)
  const later = await made(INTERFACES.console ?? assert.fail(), bob)
  const lists = [
    ...Object.values(INTERFACES).map((via) => via.list(bob)),
    bob.command('hooks', 'list', '--account', bob.accountId),
  ]
  for (const { outcome, text } of await Promise.all(lists)) {
    assert.equal(outcome, 'done')
    const ids = [...text.matchAll(/\b(?:api|console)-[0-9a-f]{40}\b/g)].map(([id]) => id)
    assert.deepEqual(ids, [hook.id, later.id])
  }
  const unknown = await bob.command('hooks', 'list', '--account', 'acc_0')
  assert.deepEqual([unknown.outcome, unknown.text], ['failed', ''])
  assert.match(unknown.error, /There is no account acc_0\./)
})

test('a change of another account’s destination gives 404 and changes nothing', async () => {
  const { id, watches } = await made(INTERFACES.console ?? assert.fail(), alice)
  const before = await stored(alice, id)
  const hook = `/v1/hooks/${id}`
  for (const [method, path, body] of [
    ['PATCH', hook, { name: 'Mine' }],
    ['PUT', `${hook}/status`, { status: 'paused' }],
    ['PUT', `${hook}/status`, { status: 'active' }],
    ['POST', `${hook}/secret`, {}],
    ['DELETE', `${hook}/old-secrets`, undefined],
    ['POST', `${hook}/watches`, WATCH],
    ['PUT', `${hook}/watches/${watches[0]?.id}`, WATCH],
    ['DELETE', `${hook}/watches/${watches[0]?.id}`, undefined],
    ['PUT', `${hook}/watches/${watches[0]?.id}/watch-set`, WATCH_SET],
    ['PUT', `${hook}/watch-sets/set_1/watch`, WATCH],
    ['POST', `${hook}/watch-sets`, WATCH_SET],
    ['PUT', `${hook}/watch-sets/set_1`, WATCH_SET],
    ['DELETE', `${hook}/watch-sets/set_1`, undefined],
  ] as const) {
    const { outcome, error } = await bob.console(method, path, body)
    assert.deepEqual([outcome, error], ['not_found', 'The account has no hook with this id.'], path)
  }
  assert.deepEqual(await stored(alice, id), before)
})

test('a hook has at most 200 watches', async () => {
  const hook = await made(INTERFACES.console ?? assert.fail(), alice)
  const [watch] = hook.watches
  assert.ok(watch)
  for (let count = 1; count < WATCHES_MAX - 1; count += 1) {
    await running.service.storage.hooks.addWatch(alice.accountId, {
      ...watch,
      createdAt: instantOf(watch.createdAt.getTime()),
      id: newId('wat'),
    })
  }
  const add = () => alice.console('POST', `/v1/hooks/${hook.id}/watches`, WATCH)
  assert.equal((await add()).outcome, 'done')
  const rejected = await add()
  assert.equal(rejected.outcome, 'conflict')
  assert.match(rejected.error, /at most 200 watches/)
  assert.equal((await stored(alice, hook.id))?.watches.length, 200)
})

for (const name of ['session', 'token'] as const) {
  test(`a watch set that is created with a ${name} follows the apps of its account`, async () => {
    const call: Tenant['api'] =
      name === 'token' ? alice.api : (method, path, body) => alice.console(method, `/v1${path}`, body)
    const hook = await made(INTERFACES.console ?? assert.fail(), alice)
    const to = `/hooks/${hook.id}/watch-sets`
    assert.equal((await call('POST', to, WATCH_SET)).outcome, 'done')
    const appId = `set of ${name}`
    assert.equal(
      (await alice.console('PUT', `/v1/tracked-apps/google/${appId}`, { countries: ['us'] })).outcome,
      'done',
    )
    const { watchSets: [set] = [], watches = [] } = (await stored(alice, hook.id)) ?? {}
    const added = watches.find((watch) => watch.appId === appId)
    assert.equal(added?.setId, set?.id)
    const single = await alice.console('DELETE', `/v1/hooks/${hook.id}/watches/${added?.id}`)
    assert.equal(single.outcome, 'not_found')
    const empty = await call('PUT', `${to}/${set?.id}`, { ...WATCH_SET, apps: [] })
    assert.deepEqual([empty.outcome, /apps/.test(empty.error)], ['invalid', true])
    assert.equal((await call('DELETE', `${to}/${set?.id}`)).outcome, 'done')
    assert.deepEqual(
      (await stored(alice, hook.id))?.watches.map(({ setId }) => setId),
      [null],
    )
  })
}

test('the watch sets of a hook that a program created are not changed in the console', async () => {
  const hook = await made(INTERFACES['REST API'] ?? assert.fail(), alice)
  const rejected = await alice.console('POST', `/v1/hooks/${hook.id}/watch-sets`, WATCH_SET)
  assert.equal(rejected.outcome, 'conflict')
  assert.equal((await bob.api('GET', `/hooks/${hook.id}/watch-sets`)).outcome, 'not_found')
})

/** The fields of a hook that come from the input. */
function comparable({ targetUrl, status, ratePerSecond, watches }: HookWithWatches) {
  const rules = watches.map(({ id: _, hookId: __, createdAt: ___, ...rule }) => rule)
  return { targetUrl, status, ratePerSecond, rules }
}
