import { TO_ANSWER_STATES } from '../../../model/reply.ts'
import type { ReportStorage } from '../../port/reports.ts'
import { msOf } from '../../values.ts'
import { all, type Db, sql, type Work } from '../../work.ts'
import { answerCondition } from './answer-where.ts'
import { joinedTo, RECORD_COLUMNS, type RecordRow, recordsOf } from './review-records.ts'
import { type AppScope, scopesIn } from './scope.ts'

type KeyRow = { readonly rating: number; readonly occurred_at: number; readonly seq: number }

/** The queue of reviews to answer. */
export function toAnswerReports(db: Db): Pick<ReportStorage, 'toAnswer' | 'countToAnswer'> {
  // Each app is a step of its own, since SQLite blocks the process meanwhile.
  const keysOf = async (accountId: string, since: Date, limit: number) => {
    let keys: KeyRow[] = []
    for (const scope of await db.step(() => scopesIn(accountId))) {
      if (scope.markets.reviews.length === 0) continue
      const found = await db.step(() => keysOfApp(accountId, scope, since, limit))
      keys = [...keys, ...found].sort(byUrgency).slice(0, limit)
    }
    return keys
  }
  return {
    async toAnswer(accountId, since, limit) {
      const seqs = (await keysOf(accountId, since, limit)).map(({ seq }) => seq)
      const records = await db.step(() => recordsIn(accountId, seqs))
      const bySeq = new Map(records.map((record) => [record.seq, record]))
      return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
    },

    countToAnswer: async (accountId, since, max) => (await keysOf(accountId, since, max)).length,
  }
}

/** Fewest stars first, then newest. */
function byUrgency(a: KeyRow, b: KeyRow): number {
  return a.rating - b.rating || b.occurred_at - a.occurred_at || b.seq - a.seq
}

/** `official_seen` has the reviews that the connection of the app can answer, and the public ones that are linked to such. */
const KEYS = sql(
  (d) => `select r.rating, r.occurred_at, r.seq from reviews r ${d.indexedBy('reviews_app')}
    where r.store = ?2 and r.app_id = ?3 and r.occurred_at >= ?4 and r.market ${d.among('?5', 'text')}
      and (${TO_ANSWER_STATES.map((state) => answerCondition(d, state, '?1')).join(' or ')})
      and exists (select 1 from review_sources s join official_seen o on o.source_id = s.id
        where s.account_id = ?1 and s.store = ?2 and s.app_id = ?3 and s.state = 'official'
          and o.review_key = substr(${d.hex('r.fingerprint')}, 1, 32))
    order by r.rating, r.occurred_at desc, r.seq desc limit ?6`,
)

function keysOfApp(
  accountId: string,
  { store, appId, markets }: AppScope,
  since: Date,
  limit: number,
): Work<KeyRow[]> {
  return all<KeyRow>(KEYS, accountId, store, appId, msOf(since), markets.reviews, limit)
}

const RECORDS = sql(
  (d) => `select ${RECORD_COLUMNS} from reviews r ${joinedTo('?2')} where r.seq ${d.among('?1', 'bigint')}`,
)

function* recordsIn(accountId: string, seqs: readonly number[]) {
  return yield* recordsOf(accountId, yield* all<RecordRow>(RECORDS, seqs, accountId))
}
