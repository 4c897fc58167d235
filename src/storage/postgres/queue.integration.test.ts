import { describe } from 'node:test'
import { postgresEngine } from '../../../test/support/engines.ts'
import { queueProcessesSuite } from '../conformance/queue/queue-processes.ts'
import { clockSuites, queueSuites } from '../conformance/suites.ts'

describe('PostgreSQL', () => {
  const engine = postgresEngine()

  queueSuites(engine)
  clockSuites(engine)
  queueProcessesSuite(engine, engine.url)
})
