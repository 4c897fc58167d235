import { describe } from 'node:test'
import { sqliteEngine } from '../../../test/support/engines.ts'
import { consoleSuites } from '../conformance/suites.ts'

describe('SQLite, for the console', () => {
  const engine = sqliteEngine()

  consoleSuites(engine)
})
