import { execFileSync } from 'node:child_process'
import { openBrowser, visit } from '../support/browser.ts'
import { startPopulatedConsole } from '../support/populated-console.ts'
import { enterAs } from '../support/seeded-console.ts'
import { recordRequests, sequentialRoundTrips, waterfall } from './waterfall.ts'

/**
 * `npm run bench:load` opens the overview of a signed-in user in a browser without a cache, through a slow line, and prints how long it
 * takes until the figures are shown, next to the time without the line, and the requests of the last load.
 */
const LINE = { latencyMs: 150, bytesPerSecond: 4_000_000 / 8 }
const LOADS = 7

execFileSync(process.execPath, ['scripts/build-console.ts', '--if-stale'], { stdio: 'inherit' })
await using seeded = await startPopulatedConsole()
await using browser = await openBrowser()
const slow: number[] = []
const fast: number[] = []
let lastLoad = ''
// In turns: the difference is the line's share, whatever else the machine does.
for (let load = 0; load < LOADS; load += 1) {
  slow.push(await timeOf(true))
  fast.push(await timeOf(false))
}
console.log(
  `overview without a cache: ${told(slow)} at ${LINE.latencyMs} ms and 4 Mbit/s; ${told(fast)} on this machine`,
)
console.log(lastLoad)

async function timeOf(isSlow: boolean): Promise<number> {
  await using visitor = await visit(browser, seeded.running.url)
  await enterAs(visitor, seeded.running, seeded.ann)
  const line = await visitor.context.newCDPSession(visitor.page)
  const recorded = await recordRequests(line)
  if (isSlow) {
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LINE.latencyMs,
      downloadThroughput: LINE.bytesPerSecond,
      uploadThroughput: LINE.bytesPerSecond,
    })
  }
  const startedAt = performance.now()
  await visitor.page.goto('/', { waitUntil: 'commit' })
  await visitor.page.getByText('Reviews found', { exact: true }).waitFor()
  const tookMs = Math.round(performance.now() - startedAt)
  const requests = recorded.answered()
  const bytes = requests.reduce((sum, request) => sum + request.bytes, 0)
  if (isSlow) {
    lastLoad = `${sequentialRoundTrips(requests)} sequential round trips, ${bytes} bytes (start, end, bytes, path):\n${waterfall(requests)}`
  }
  return tookMs
}

function told(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms of ${sorted.join(', ')}`
}
