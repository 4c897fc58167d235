import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationErrorOf } from '../../operations/error.ts'
import { Connection } from '../sqlite/connect.ts'
import { DiskFull, isDiskFull } from './errors.ts'

test('an error is a full disk by the code of SQLite, of PostgreSQL and of the operating system, also as a cause', () => {
  for (const code of [{ errcode: 13 }, { errcode: 4874 }, { code: '53100' }, { code: 'ENOSPC' }]) {
    const error = Object.assign(new Error('no space'), code)
    assert.ok(isDiskFull(error), JSON.stringify(code))
    assert.ok(isDiskFull(new Error('it failed', { cause: error })))
  }
  for (const code of [{ errcode: 10 }, { code: '53200' }, { code: 'EACCES' }])
    assert.ok(!isDiskFull(Object.assign(new Error('another problem'), code)), JSON.stringify(code))
})

test('a write to a full SQLite database throws DiskFull, changes nothing, and reads still work', () => {
  using db = new Connection(':memory:')
  db.exec('create table t (x text)')
  db.run('insert into t values (?)', 'kept')
  db.exec('pragma max_page_count = 3')
  const write = () => db.transaction(() => db.run('insert into t values (?)', 'x'.repeat(100_000)))
  assert.throws(write, DiskFull)
  assert.deepEqual(
    db.all('select x from t').map((row) => ({ ...(row as object) })),
    [{ x: 'kept' }],
  )
  const refused = operationErrorOf(new DiskFull('full'))
  assert.equal(refused?.code, 'unavailable')
  assert.match(refused?.problem ?? '', /^The disk of the database is full/)
})
