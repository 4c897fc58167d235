import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { accountsSuite } from '../conformance/accounts.ts'
import { coverageSuite } from '../conformance/coverage.ts'
import { feedsSuite } from '../conformance/feeds.ts'
import type { Engine } from '../conformance/harness.ts'
import { hooksSuite } from '../conformance/hooks.ts'
import { paceSuite } from '../conformance/pace.ts'
import { openSqlite } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-sqlite-'))
let opened = 0
const engine: Engine = {
  open: () => {
    opened += 1
    return engine.openAgain()
  },
  openAgain: () => openSqlite({ file: join(folder, `${opened}.db`) }),
}

describe('SQLite', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  accountsSuite(engine)
  hooksSuite(engine)
  coverageSuite(engine)
  feedsSuite(engine)
  paceSuite(engine)
})
