import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SchemaError, StorageUnavailable } from '../port/errors.ts'
import { Connection } from './connect.ts'

function temporaryFile(t: { after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'radar-connect-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'deeper', 'radar.db')
}

describe('a SQLite connection', () => {
  it('creates the folder of its file, and writes through a log that survives a power cut', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.equal(connection.get<{ journal_mode: string }>('pragma journal_mode')?.journal_mode, 'wal')
    assert.equal(connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous, 2)
    assert.equal(connection.get<{ foreign_keys: number }>('pragma foreign_keys')?.foreign_keys, 1)
  })

  it('rolls a transaction back when its body throws', (t) => {
    using connection = new Connection(temporaryFile(t))
    connection.exec('create table words (word text) strict')
    assert.throws(
      () =>
        connection.transaction((): void => {
          connection.run('insert into words values (?)', 'lost')
          throw new Error('stop')
        }),
      /stop/,
    )
    connection.transaction(() => connection.run('insert into words values (?)', 'kept'))
    assert.deepEqual(
      connection.all<{ word: string }>('select word from words').map(({ word }) => word),
      ['kept'],
    )
  })

  it('waits for the disk again after a lease, also after a failed one', (t) => {
    using connection = new Connection(temporaryFile(t))
    const level = () => connection.get<{ synchronous: number }>('pragma synchronous')?.synchronous
    assert.equal(connection.leasing(level), 1)
    assert.equal(level(), 2)
    assert.throws(() => connection.leasing((): void => connection.transaction(() => {})), /inside another/)
    assert.throws(() => connection.transaction((): void => connection.leasing(() => {})), /inside another/)
    assert.equal(level(), 2)
  })

  it('refuses an asynchronous body, by type and at run time, and rolls it back', (t) => {
    using connection = new Connection(temporaryFile(t))
    connection.exec('create table words (word text) strict')
    assert.throws(
      () =>
        // @ts-expect-error a promise is refused by type
        connection.transaction(async () => {
          connection.run('insert into words values (?)', 'lost')
        }),
      TypeError,
    )
    assert.deepEqual(connection.all('select word from words'), [])
  })

  it('refuses a transaction inside another one', (t) => {
    using connection = new Connection(temporaryFile(t))
    assert.throws(() => connection.transaction(() => connection.transaction(() => 1)), /inside another/)
    assert.equal(
      connection.transaction(() => 2),
      2,
    )
  })

  it('distinguishes a file that is not a database from an unreachable one', (t) => {
    const file = temporaryFile(t)
    new Connection(file)[Symbol.dispose]()
    writeFileSync(
      file,
      'this is a letter to my mother, long enough to be taken for a header of a database file',
    )
    assert.throws(() => new Connection(file), SchemaError)
    assert.throws(() => new Connection(join(file, '..')), StorageUnavailable)
  })
})
