import { describe } from 'node:test'
import { sqliteEngine } from '../../../test/support/engines.ts'
import { clockSuites, queueSuites } from '../conformance/suites.ts'

describe('SQLite', () => {
  const engine = sqliteEngine()

  queueSuites(engine)
  clockSuites(engine)
})
