import { systemClock } from '../../../runtime/clock.ts'
import { instantOf } from '../../../runtime/instant.ts'
import { silentLog } from '../../../runtime/log.ts'
import { openStorage } from '../../open.ts'

/**
 * A separate process that claims every due feed, a few at a time, and prints their ids as JSON. Arguments: the
 * database's URL, and the current time in milliseconds.
 */
const [url, now] = process.argv.slice(2)
if (url === undefined || now === undefined) throw new Error('arguments: <database url> <now in ms>')

const storage = await openStorage(url, { log: silentLog, clock: systemClock, nodeVersion: 'test' })
const ids: number[] = []
for (;;) {
  const feeds = await storage.feeds.claim({
    store: 'apple',
    kind: 'reviews',
    now: instantOf(Number(now)),
    lease: `process ${process.pid}`,
    leaseMs: 60_000,
    limit: 3,
    sameMarket: false,
  })
  if (feeds.length === 0) break
  ids.push(...feeds.map(({ id }) => id))
}
await storage[Symbol.asyncDispose]()
process.stdout.write(JSON.stringify(ids))
