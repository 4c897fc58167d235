import { systemClock } from '../../../runtime/clock.ts'
import { instantOf } from '../../../runtime/instant.ts'
import { silentLog } from '../../../runtime/log.ts'
import { openStorage } from '../../open.ts'
import { claim } from './queue-samples.ts'

/**
 * A separate process that claims every due delivery, a few at a time, and prints their event ids as JSON. Arguments:
 * the database's URL, and the current time in milliseconds.
 */
const [url, now] = process.argv.slice(2)
if (url === undefined || now === undefined) throw new Error('arguments: <database url> <now in ms>')

const storage = await openStorage(url, { log: silentLog, clock: systemClock, nodeVersion: 'test' })
const ids: string[] = []
for (;;) {
  const claimed = await claim(storage, { now: instantOf(Number(now)), limit: 7, lanesMax: 3 })
  if (claimed.length === 0) break
  ids.push(...claimed.map(({ eventId }) => eventId))
}
await storage[Symbol.asyncDispose]()
process.stdout.write(JSON.stringify(ids))
