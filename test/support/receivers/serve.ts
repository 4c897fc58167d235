import { RECEIVERS } from './registry.ts'

/**
 * Runs one hostile receiver and prints its URL, for manual tests: `node test/support/receivers/serve.ts endless-chunks`.
 */
const name = process.argv[2]
const receiver = RECEIVERS.find((one) => one.name === name)
if (receiver) {
  const running = await receiver.start()
  console.log(running.url)
} else {
  console.error(`Usage: serve.ts NAME, one of ${RECEIVERS.map((one) => one.name).join(', ')}.`)
  process.exitCode = 2
}
