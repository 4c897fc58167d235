import { describe } from 'node:test'
import { postgresEngine } from '../../../test/support/engines.ts'
import { lateCalls } from '../conformance/late-calls.ts'
import { feedSuites, queueSuites } from '../conformance/suites.ts'

/**
 * Without the suites of the console: every write in them is one text for both engines, and passes late on SQLite. PostgreSQL's own writes
 * claim feeds, fan out, claim and settle.
 */
describe('PostgreSQL, with each call computed before a step of the clock', () => {
  const engine = lateCalls(postgresEngine())

  feedSuites(engine)
  queueSuites(engine)
})
