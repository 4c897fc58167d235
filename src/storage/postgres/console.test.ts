import { after, before, describe } from 'node:test'
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts'
import type { Engine } from '../conformance/harness.ts'
import { insightAppsSuite } from '../conformance/insight-apps.ts'
import { insightFiguresSuite } from '../conformance/insight-figures.ts'
import { insightReviewsSuite } from '../conformance/insight-reviews.ts'
import { peopleSuite } from '../conformance/people.ts'
import { sendAgainSuite } from '../conformance/send-again.ts'
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

describe('PostgreSQL, for the console', () => {
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  peopleSuite(engine)
  sendAgainSuite(engine)
  insightReviewsSuite(engine)
  insightAppsSuite(engine)
  insightFiguresSuite(engine)
})
