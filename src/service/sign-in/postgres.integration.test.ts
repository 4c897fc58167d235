import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { ANN, assertRetention, cookieOf, request } from '../../../test/support/sign-in.ts'
import { silentLog } from '../../runtime/log.ts'
import { openPostgres } from '../../storage/postgres/open.ts'
import { openSignIn } from './open.ts'

let server: TestPostgres

/** Two nodes on one database. */
async function open() {
  const databaseUrl = await server.newMigratedDatabase()
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

  it('sign-in on PostgreSQL creates its tables once when two nodes start together, and shares sessions between them', async () => {
    await using opened = await open()
    const [one, two] = await Promise.all(opened.nodes.map((node) => node.get()))
    assert.ok(one && two)
    const user = await one.createUser(ANN)
    assert.equal(await two.createUser({ ...ANN, email: 'ANN@example.com' }), null)
    const cookie = cookieOf(await one.open(ANN))
    assert.deepEqual((await two.sessionOf(cookie)).user, user)
    assert.equal((await two.answer(request('/revoke-sessions', {}, cookie))).status, 200)
    assert.equal((await one.sessionOf(cookie)).user, null)
    assert.deepEqual(await two.users([user?.id ?? '']), [user])
    await two.removeUser(user?.id ?? '')
    assert.equal(await one.userByEmail(ANN.email), null)
  })

  it('retention deletes expired sessions and links, and keeps current ones', async () => {
    await using opened = await open()
    const signIn = await opened.nodes[0]?.get()
    assert.ok(signIn)
    await assertRetention(opened.storage.maintenance, signIn)
  })
})
