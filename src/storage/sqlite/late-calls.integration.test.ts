import { describe } from 'node:test'
import { sqliteEngine } from '../../../test/support/engines.ts'
import { lateCalls } from '../conformance/late-calls.ts'
import { consoleSuites, feedSuites, queueSuites } from '../conformance/suites.ts'

describe('SQLite, with each call computed before a step of the clock', () => {
  const engine = lateCalls(sqliteEngine())

  feedSuites(engine)
  queueSuites(engine)
  consoleSuites(engine)
})
