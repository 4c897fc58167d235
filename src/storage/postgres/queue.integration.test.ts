import { describe } from 'node:test'
import { postgresEngine } from '../../../test/support/engines.ts'
import { queueProcessesSuite } from '../conformance/queue/queue-processes.ts'
import { queueSuites } from '../conformance/suites.ts'

describe('PostgreSQL', () => {
  const engine = postgresEngine()

  queueSuites(engine)
  queueProcessesSuite(engine, engine.url)
})
