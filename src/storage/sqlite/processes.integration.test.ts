import { describe } from 'node:test'
import { sqliteEngine } from '../../../test/support/engines.ts'
import { processesSuite } from '../conformance/processes.ts'
import { queueProcessesSuite } from '../conformance/queue/queue-processes.ts'

describe('SQLite, shared by processes', () => {
  const engine = sqliteEngine()
  const url = () => `sqlite:${engine.file()}`

  processesSuite(engine, url)
  queueProcessesSuite(engine, url)
})
