import { parseArgs } from 'node:util'
import { fuzz } from './run.ts'

/**
 * `npm run test:fuzz` sends requests with hostile values to every route of the service. The exit status is 1 if one was answered
 * with 5xx or its connection was closed.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const startedAt = performance.now()
const { requests, statuses, failures } = await fuzz(
  Number(values.requests),
  Number(values.seed),
  (sent, failed) => console.error(`${sent} requests, ${failed} failures`),
)
for (const failure of failures.slice(0, 20)) console.error(JSON.stringify(failure).slice(0, 2_000))
const seconds = Math.round((performance.now() - startedAt) / 1_000)
console.log(
  `${requests} requests in ${seconds} s, ${failures.length} failures. Answers: ${JSON.stringify(statuses)}`,
)
process.exitCode = failures.length > 0 ? 1 : 0
