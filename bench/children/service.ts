import { configOf } from '../../src/service/config/config.ts'
import { createService } from '../../src/service/service.ts'
import { answerCalls, usage } from './calls.ts'

/** Runs the service like `radar serve`, and reports its CPU time, memory and statements. */

let statements = 0
// Only with PostgreSQL, because the module takes memory.
if (process.env.RADAR_DATABASE_URL?.startsWith('postgres')) {
  const { prototype } = (await import('pg')).default.Client
  const { query } = prototype
  prototype.query = function counted(this: typeof prototype, ...values: unknown[]) {
    statements += 1
    return Reflect.apply(query, this, values)
  } as typeof query
}

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
