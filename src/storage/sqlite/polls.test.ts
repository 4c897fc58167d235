import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { addPeople, after, claimFeed, HOUR, stars, subscribe, visitOf } from '../conformance/samples.ts'
import { Connection } from './connect.ts'
import { openSqlite } from './open.ts'

it('the history of a rating holds its changes, and one row a day while it stays the same', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'radar-polls-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'radar.db')
  await using storage = await openSqlite({ file })
  await addPeople(storage)
  await subscribe(storage, {}, { eventType: 'rating.dropped' })
  const told: [hours: number, value: number, count: number][] = [
    [0, 4.5, 10],
    [1, 4.5, 11],
    [2, 4.4, 12],
    [3, 4.5, 13],
    [26, 4.5, 14],
    [27, 4.5, 15],
  ]
  for (const [hours, value, count] of told) {
    const at = after(hours * HOUR)
    const feed = await claimFeed(storage, { kind: 'rating', now: at })
    await storage.feeds.commitRatings(
      [{ ...visitOf(feed, { polledAt: at }), rating: stars(value, count) }],
      ({ rating }) => ({ baseline: rating, drop: null, nextPollAt: at, intervalMs: HOUR }),
    )
  }
  using db = new Connection(file)
  assert.deepEqual(
    db.all<{ count: number }>('select count from ratings order by observed_at').map(({ count }) => count),
    [10, 12, 13, 15],
  )
})
