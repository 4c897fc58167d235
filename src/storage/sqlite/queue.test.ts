import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
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
import { openSqlite } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'radar-queue-'))
let opened = 0
const file = () => join(folder, `${opened}.db`)
const engine: Engine = {
  open: () => {
    opened += 1
    return engine.openAgain()
  },
  openAgain: () => openSqlite({ file: file() }),
}

describe('SQLite', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

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
  queueProcessesSuite(engine, () => `sqlite:${file()}`)
})
