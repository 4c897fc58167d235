import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { silentLog } from '../../runtime/log.ts'
import { openPostgres } from '../../storage/postgres/open.ts'
import { openSignIn } from './open.ts'

const ANN = { name: 'Ann', email: 'ann@example.com', password: 'correct horse' }
const cookieOf = (setCookies: readonly string[]) => setCookies.map((each) => each.split(';')[0]).join('; ')

let server: TestPostgres

/** Two nodes on one database. */
async function open() {
  const databaseUrl = await server.newSchema()
  const stack = new AsyncDisposableStack()
  const storage = stack.use(await openPostgres({ url: databaseUrl }))
  const node = () =>
    stack.use(
      openSignIn({
        databaseUrl,
        secretKey: Buffer.alloc(32, 7),
        urls: () => ({ publicUrl: 'https://radar.example.com', localUrl: 'http://127.0.0.1:8080' }),
        log: silentLog,
      }),
    )
  const nodes = [node(), node()]
  return { storage, nodes, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describe('sign-in on PostgreSQL', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  it('makes its tables once, when two nodes start together, and a session of one holds on the other', async () => {
    await using opened = await open()
    const [one, two] = await Promise.all(opened.nodes.map((node) => node.get()))
    assert.ok(one && two)
    const user = await one.createUser(ANN)
    assert.equal(await two.createUser({ ...ANN, email: 'ANN@example.com' }), null)
    const cookie = cookieOf(await one.open(ANN))
    assert.deepEqual((await two.sessionOf(cookie)).user, user)
    const request = { body: {}, cookie, clientAddress: '192.0.2.1', userAgent: 'test' }
    assert.equal((await two.answer({ ...request, path: '/revoke-sessions' })).status, 200)
    assert.equal((await one.sessionOf(cookie)).user, null)
    assert.deepEqual(await two.users([user?.id ?? '']), [user])
    await two.removeUser(user?.id ?? '')
    assert.equal(await one.userByEmail(ANN.email), null)
  })

  it('is forgotten by retention once it is over: sessions and attempts, and not what still holds', async () => {
    await using opened = await open()
    const { storage } = opened
    const signIn = await opened.nodes[0]?.get()
    assert.ok(signIn)
    await signIn.createUser(ANN)
    const cookie = cookieOf(await signIn.open(ANN))
    await signIn.answer({
      path: '/sign-in/email',
      body: { email: ANN.email, password: 'wrong horse' },
      cookie: undefined,
      clientAddress: '192.0.2.1',
      userAgent: 'test',
    })
    const dayMs = 24 * 3_600_000
    const startMs = Date.now()
    const prune = (days: number) => storage.upkeep.prune(new Date(startMs + days * dayMs), 100)
    assert.equal(await prune(-1), 0)
    assert.equal(await prune(29), 1, 'the attempts of an address')
    assert.notEqual((await signIn.sessionOf(cookie)).user, null)
    assert.equal(await prune(31), 1)
    assert.equal(await prune(31), 0)
    assert.equal((await signIn.sessionOf(cookie)).user, null)
    assert.equal((await signIn.userByEmail(ANN.email))?.name, ANN.name)
  })

  it('lets one address try 60 times a minute, on all nodes together', async () => {
    await using opened = await open()
    const [one, two] = await Promise.all(opened.nodes.map((node) => node.get()))
    assert.ok(one && two)
    const attempt = (signIn: typeof one) =>
      signIn.answer({
        path: '/sign-in/email',
        body: { email: 'no address', password: 'y' },
        cookie: undefined,
        clientAddress: '192.0.2.7',
        userAgent: 'test',
      })
    for (let i = 0; i < 60; i += 1) assert.equal((await attempt(i % 2 === 0 ? one : two)).status, 400)
    assert.equal((await attempt(one)).status, 429)
    assert.equal((await attempt(two)).status, 429)
  })
})
