import pg from 'pg'
import { configOf } from '../../src/service/config/config.ts'
import { createService } from '../../src/service/service.ts'
import { answerCalls, usage } from './calls.ts'

/** The service like `radar serve`, with the settings of its environment; it also reports its CPU time and memory. */

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
    /** Number of statements sent to PostgreSQL so far, including `begin` and `commit`. */
    statements: () => statements,
  },
  async () => {
    await service.stop()
  },
)
