import { run, sql, type Work } from '../../work.ts'

const STATEMENTS = [
  sql((d) => `delete from attempts where delivery_seq ${d.among('?1', 'bigint')}`),
  sql((d) => `delete from deliveries where seq ${d.among('?1', 'bigint')}`),
  sql((d) => `delete from events where seq ${d.among('?1', 'bigint')}`),
]

/** Deletes events with their deliveries and attempts. */
export function* deleteEvents(seqs: readonly number[]): Work<void> {
  if (seqs.length > 0) for (const each of STATEMENTS) yield* run(each, seqs)
}
