import { execFileSync } from 'node:child_process'
import { openBrowser, visit } from '../support/browser.ts'
import { startPopulatedConsole } from '../support/populated-console.ts'
import { enterAs } from '../support/seeded-console.ts'

/**
 * `npm run bench:load` opens the overview of a signed-in user in a browser without a cache, through a slow line, and prints how long it takes
 * until the figures are shown.
 */
const LINE = { latencyMs: 150, bytesPerSecond: 4_000_000 / 8 }
const LOADS = 7

execFileSync(process.execPath, ['scripts/build-console.ts', '--if-stale'], { stdio: 'inherit' })
await using seeded = await startPopulatedConsole()
await using browser = await openBrowser()
const times: number[] = []
for (let load = 0; load < LOADS; load += 1) {
  await using visitor = await visit(browser, seeded.running.url)
  await enterAs(visitor, seeded.running, seeded.ann)
  const line = await visitor.context.newCDPSession(visitor.page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latencyMs,
    downloadThroughput: LINE.bytesPerSecond,
    uploadThroughput: LINE.bytesPerSecond,
  })
  const startedAt = performance.now()
  await visitor.page.goto('/', { waitUntil: 'commit' })
  await visitor.page.getByText('Reviews found', { exact: true }).waitFor()
  times.push(Math.round(performance.now() - startedAt))
}
times.sort((one, other) => one - other)
console.log(
  `overview at ${LINE.latencyMs} ms and 4 Mbit/s, without a cache: median ${times[Math.floor(LOADS / 2)]} ms of ${times.join(', ')}`,
)
