import { parseArgs } from 'node:util'
import { openEngine } from '../engines.ts'
import { NOVEMBER } from './month.ts'
import { monthReport } from './print-month.ts'
import { runMonth } from './run-month.ts'

/** Prints the figures of a healthy month and of November 2026, or of one of them. */

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    feeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string' },
    until: { type: 'string' },
    only: { type: 'string' },
  },
})
const plan = {
  feeds: Number(values.feeds),
  seed: Number(values.seed),
  fromMs: values.from === undefined ? NOVEMBER.fromMs : Date.parse(values.from),
  untilMs: values.until === undefined ? NOVEMBER.untilMs : Date.parse(values.until),
}
await using engine = await openEngine(values.engine === 'postgres' ? 'postgres' : 'sqlite')
const totals: number[] = []
for (const name of ['healthy', 'november']) {
  if (values.only !== undefined && values.only !== name) continue
  const result = await runMonth(engine, { ...plan, faults: name === 'november' })
  totals.push(result.total)
  console.log(monthReport(name, result))
}
const [healthy = 0, november] = totals
if (november !== undefined) console.log(`november / healthy: ${(november / healthy).toFixed(2)}`)
