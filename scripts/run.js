/**
 * `node scripts/run.js ARGUMENTS` runs Node 24 with these arguments, on any Node from 18. The scripts of package.json use it, because npm 10,
 * which comes with Node 20 and 22, links the binary of none of our Node packages into `node_modules/.bin`.
 */
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { isNewEnough, NO_NODE, nodeOfPackages } from '../bin/find-node.js'

const node = isNewEnough ? process.execPath : nodeOfPackages()
if (node === null) {
  process.stderr.write(`This script ${NO_NODE}`)
  process.exitCode = 1
} else run(node)

function run(node) {
  // Programs that the script starts find the same Node.
  process.env.PATH = [dirname(node), process.env.PATH].join(delimiter)
  const child = spawn(node, process.argv.slice(2), { stdio: 'inherit' })
  // A terminal sends Ctrl-C to the child too, and a second one would mean "stop at once".
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`Node ${node} does not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1
      return
    }
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
