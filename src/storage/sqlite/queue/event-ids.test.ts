import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../../runtime/clock.ts'
import { Connection } from '../connect.ts'
import { migrateSqlite } from '../migrate.ts'
import { seqOfEvent, seqsOfEvents } from './event-ids.ts'

async function open(seqs: readonly number[]): Promise<Connection> {
  const db = new Connection(':memory:')
  await migrateSqlite(db, systemClock, 'test')
  for (const seq of seqs) {
    db.run(
      `insert into events (seq, event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
       values (?, ?, x'00', 'alice', 'h', 'review.created', 'apple', '1', 0, '')`,
      seq,
      Buffer.from(idOf(seq), 'hex'),
    )
  }
  return db
}

const idOf = (seq: number) => seq.toString(16).padStart(64, '0')

test('an event is found by its id, whatever the numbers of the others, and not before a number', async () => {
  const number = fc.integer({ min: 1, max: 100_000 })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(number, { maxLength: 12 }), number, async (seqs, after) => {
      using db = await open(seqs)
      assert.deepEqual(seqsOfEvents(db, seqs.map(idOf)), seqs)
      assert.deepEqual(seqsOfEvents(db, [idOf(200_000), 'no hash', '']), [])
      for (const seq of seqs) {
        // The part of that number, and the newest one, are searched whole.
        const isSearched = seq >> 13 >= Math.min(after, Math.max(...seqs)) >> 13
        assert.equal(seqOfEvent(db, idOf(seq), after), isSearched ? seq : null)
      }
    }),
    { numRuns: 30 },
  )
})
