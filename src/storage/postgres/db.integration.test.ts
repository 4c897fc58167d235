import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { silentLog } from '../../runtime/log.ts'
import { type TestDb, workSuite } from '../conformance/work.ts'
import { all, get, native, run } from '../work.ts'
import { Database } from './connect.ts'
import { postgresDb } from './open.ts'

let server: TestPostgres

async function open(createTable: string): Promise<TestDb> {
  const db = new Database({ url: await server.newDatabase(), log: silentLog, applicationName: 'test' })
  await db.run(createTable)
  return {
    db: postgresDb(db),
    other: postgresDb(db),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

describe('on PostgreSQL,', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  workSuite(open)

  it('a unit of work that lost a deadlock runs again from its start', async () => {
    await using test = await open('create table words (word text primary key, count integer not null)')
    await test.db.alone(run("insert into words values ('a', 0), ('b', 0)"))
    let runs = 0
    let locked = 0
    const { promise: bothLocked, resolve } = Promise.withResolvers<void>()
    const inOrder = (first: string, second: string) =>
      test.db.transaction(function* () {
        runs += 1
        yield* run('update words set count = count + 1 where word = ?1', first)
        locked += 1
        if (locked === 2) resolve()
        yield* native(() => bothLocked)
        yield* run('update words set count = count + 1 where word = ?1', second)
      })
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
    // The one that runs again may take its first row before the other one wakes up, which is another deadlock.
    assert.ok(runs >= 3, `${runs} runs`)
    const counts = await test.db.alone(all<{ count: number }>('select count from words'))
    assert.deepEqual(
      counts.map(({ count }) => count),
      [2, 2],
    )
  })

  it('the operators of JSON are not parameters', async () => {
    await using test = await open('create table words (word text)')
    const row = await test.db.alone(
      get(`select '{"a":1}'::jsonb ? ?1 as has_key, '{"a":1}'::jsonb ?| array[?1, 'b'] as has_any`, 'a'),
    )
    assert.deepEqual({ ...(row as object) }, { has_key: true, has_any: true })
  })
})
