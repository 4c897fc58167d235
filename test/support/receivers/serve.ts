import { RECEIVERS } from './registry.ts'

/**
 * Runs one hostile receiver until the process ends and prints its URL, for manual tests or outside of the process under
 * test: `node test/support/receivers/serve.ts endless-chunks`.
 */
const name = process.argv[2]
const receiver = RECEIVERS.find((one) => one.name === name)
if (receiver) {
  const running = await receiver.start()
  console.log(running.url)
} else {
  console.error(`Name one of these receivers: ${RECEIVERS.map((one) => one.name).join(', ')}.`)
  process.exitCode = 2
}
