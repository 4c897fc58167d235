import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../../../runtime/clock.ts'
import { seqsOfEvents } from '../../tables/queue/events.ts'
import { runSync } from '../../work.ts'
import { Connection } from '../connect.ts'
import { migrateSqlite } from '../migrate.ts'
import { SEQ_OF_EVENT } from './fanout.ts'

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
      assert.deepEqual(runSync(db, seqsOfEvents(seqs.map(idOf))), seqs)
      assert.deepEqual(runSync(db, seqsOfEvents([idOf(200_000), 'no hash', ''])), [])
      for (const seq of seqs) {
        // The part of that number, and the newest one, are searched whole.
        const isSearched = seq >> 13 >= Math.min(after, Math.max(...seqs)) >> 13
        const found = db.get<{ seq: number }>(SEQ_OF_EVENT, Buffer.from(idOf(seq), 'hex'), after)
        assert.equal(found?.seq, isSearched ? seq : undefined)
      }
    }),
    { numRuns: 30 },
  )
})
