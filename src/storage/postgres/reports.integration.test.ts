import { describe } from 'node:test'
import { postgresEngine } from '../../../test/support/engines.ts'
import { consoleSuites } from '../conformance/suites.ts'

describe('PostgreSQL, for the console', () => {
  const engine = postgresEngine()

  consoleSuites(engine)
})
