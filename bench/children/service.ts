import pg from 'pg'
import { configOf } from '../../src/service/config/config.ts'
import { createService } from '../../src/service/service.ts'
import { answerCalls, usage } from './calls.ts'

/** The service as `radar serve` runs it, by the environment it was started with; it also tells what it used. */

let statements = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function counted(this: pg.Client, ...values: unknown[]) {
  statements += 1
  return Reflect.apply(query, this, values)
} as typeof query

const service = await createService(configOf(process.env))
await service.start()

answerCalls(
  {
    url: () => service.url,
    usage,
    /** Everything sent to PostgreSQL so far, `begin` and `commit` too. */
    statements: () => statements,
  },
  async () => {
    await service.stop()
  },
)
