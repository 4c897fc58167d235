import { after, before, describe } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import { claimsSuite } from '../conformance/claims.ts'
import { deadSuite } from '../conformance/dead.ts'
import { deliveriesSuite } from '../conformance/deliveries.ts'
import { endedLanesSuite } from '../conformance/ended-lanes.ts'
import { enrichmentsSuite } from '../conformance/enrichments.ts'
import { fanoutSuite } from '../conformance/fanout.ts'
import type { Engine } from '../conformance/harness.ts'
import { invariantsSuite } from '../conformance/invariants.ts'
import { pruneSuite } from '../conformance/prune.ts'
import { queueModelSuite } from '../conformance/queue-model.ts'
import { queueProcessesSuite } from '../conformance/queue-processes.ts'
import { queueStormSuite } from '../conformance/queue-storm.ts'
import { replaysSuite } from '../conformance/replays.ts'
import { settleSuite } from '../conformance/settle.ts'
import { timeSuite } from '../conformance/time.ts'
import { upkeepSuite } from '../conformance/upkeep.ts'
import { openPostgres } from './open.ts'

let server: TestPostgres
let url = ''
const engine: Engine = {
  open: async () => {
    url = await server.newSchema()
    return engine.openAgain()
  },
  openAgain: () => openPostgres({ url }),
}

describe('PostgreSQL', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  enrichmentsSuite(engine)
  fanoutSuite(engine)
  claimsSuite(engine)
  settleSuite(engine)
  endedLanesSuite(engine)
  deliveriesSuite(engine)
  deadSuite(engine)
  replaysSuite(engine)
  timeSuite(engine)
  upkeepSuite(engine)
  pruneSuite(engine)
  invariantsSuite(engine)
  queueModelSuite(engine)
  queueStormSuite(engine)
  queueProcessesSuite(engine, () => url)
})
