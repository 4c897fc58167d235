import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import type { Engine } from '../conformance/harness.ts'
import { insightAppsSuite } from '../conformance/insight-apps.ts'
import { insightFiguresSuite } from '../conformance/insight-figures.ts'
import { insightReviewsSuite } from '../conformance/insight-reviews.ts'
import { peopleSuite } from '../conformance/people.ts'
import { sendAgainSuite } from '../conformance/send-again.ts'
import { openSqlite } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-sqlite-console-'))
let opened = 0
const engine: Engine = {
  open: () => {
    opened += 1
    return engine.openAgain()
  },
  openAgain: () => openSqlite({ file: join(folder, `${opened}.db`) }),
}

describe('SQLite, for the console', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  peopleSuite(engine)
  sendAgainSuite(engine)
  insightReviewsSuite(engine)
  insightAppsSuite(engine)
  insightFiguresSuite(engine)
})
