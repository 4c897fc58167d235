import { describe } from 'node:test'
import { postgresEngine } from '../../../test/support/engines.ts'
import { lateCalls } from '../conformance/late-calls.ts'
import { consoleSuites, feedSuites, queueSuites } from '../conformance/suites.ts'

describe('PostgreSQL, with each call computed before a step of the clock', () => {
  const engine = lateCalls(postgresEngine())

  feedSuites(engine)
  queueSuites(engine)
  consoleSuites(engine)
})
