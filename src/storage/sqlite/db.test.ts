import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { type TestDb, workSuite } from '../conformance/work.ts'
import { Connection } from './connect.ts'
import { sqliteDb } from './open.ts'

describe('on SQLite,', () => {
  workSuite(open)
})

async function open(createTable: string): Promise<TestDb> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-work-'))
  const file = join(folder, 'radar.db')
  const [db, other] = [new Connection(file, null), new Connection(file, null)]
  db.exec(createTable)
  return {
    db: sqliteDb(db),
    other: sqliteDb(other),
    [Symbol.asyncDispose]: async () => {
      for (const each of [db, other]) each[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
