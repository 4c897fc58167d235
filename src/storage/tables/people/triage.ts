import { type Triage, type TriageNote, type TriageStatus, triaged, UNTOUCHED } from '../../../model/triage.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, integer, json, nullable, sha256, text, word } from '../../columns.ts'
import type { RefusedTriage, TriagedReview, TriageStorage } from '../../port/triage.ts'
import { bytesOf, parsed } from '../../values.ts'
import { all, type Db, get, run, sql, type Work } from '../../work.ts'
import { scopesWithin } from '../reports/review-where.ts'
import { scopesIn } from '../reports/scope.ts'
import { checkRoom, lockAccounts } from './account-limits.ts'

/** Of `triage t`, by outer join. */
export const TRIAGE_COLUMNS = 't.status as triage_status, t.assignee, t.tags, t.notes'

export type TriageRow = {
  triage_status: TriageStatus | null
  assignee: string | null
  tags: string | null
  notes: string | null
}

export function triageOf({ triage_status: status, assignee, tags, notes }: TriageRow): Triage {
  if (status === null || tags === null || notes === null) return UNTOUCHED
  return { status, assignee, tags: parsed<string[]>(tags), notes: parsed<TriageNote[]>(notes) }
}

const TRIAGE = columns({
  reviewSeq: integer,
  accountId: text,
  status: word<TriageStatus>(),
  assignee: nullable(text),
  tags: json<readonly string[]>(),
  notes: json<readonly TriageNote[]>(),
})

/** The account's row is locked, so that changes of one review, and the removal of a member, do not overlap. */
export function triageStorage(db: Db): TriageStorage {
  return {
    change: (accountId, changes, tagsMax) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const strangers = new Set<string | null | undefined>()
        for (const userId of new Set(changes.flatMap(({ assignee }) => assignee ?? [])))
          if ((yield* get(MEMBER, accountId, userId)) === undefined) strangers.add(userId)
        const found = yield* visible(
          accountId,
          changes.map(({ fingerprint }) => fingerprint),
        )
        const results: (TriagedReview | RefusedTriage)[] = []
        const saved: { readonly seq: number; readonly triage: Triage }[] = []
        for (const [fingerprint, ofReview] of Map.groupBy(changes, (change) => change.fingerprint)) {
          const review = found.get(fingerprint)
          if (review === undefined) continue
          const before = review.triage
          const now = ofReview.reduce(triaged, before)
          const isStranger = ofReview.some(({ assignee }) => strangers.has(assignee))
          // Fewer than before is always allowed.
          const hasTooMany = now.tags.length > Math.max(tagsMax, before.tags.length)
          if (isStranger || hasTooMany) {
            results.push({ fingerprint, refused: isStranger ? 'no_member' : 'too_many_tags' })
          } else {
            results.push({ fingerprint, before, now })
            saved.push({ seq: review.seq, triage: now })
          }
        }
        yield* save(accountId, saved)
        return results
      }),

    addNote: (accountId, fingerprint, note, max) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const review = (yield* visible(accountId, [fingerprint])).get(fingerprint)
        if (review === undefined) return false
        const { seq, triage } = review
        checkRoom('notes', triage.notes.length, max)
        yield* save(accountId, [{ seq, triage: { ...triage, notes: [...triage.notes, note] } }])
        return true
      }),

    removeNote: (accountId, fingerprint, noteId, authorId) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const review = (yield* visible(accountId, [fingerprint])).get(fingerprint)
        const note = review?.triage.notes.find(({ id }) => id === noteId)
        if (review === undefined || note === undefined) return 'missing'
        if (authorId !== undefined && note.authorId !== authorId) return 'not_author'
        const notes = review.triage.notes.filter(({ id }) => id !== noteId)
        yield* save(accountId, [{ seq: review.seq, triage: { ...review.triage, notes } }])
        return 'removed'
      }),
  }
}

const MEMBER = 'select 1 from members where account_id = ?1 and user_id = ?2'

type Visible = { readonly seq: number; readonly triage: Triage }

const REVIEW = columns({
  seq: integer,
  fingerprint: sha256,
  store: word<Store>(),
  appId: text,
  market: text,
})
/** On PostgreSQL no review is deleted until the commit, which refers to it. */
const AMONG = sql(
  (d) =>
    `from reviews where fingerprint ${d.among('?1', 'bytea')} ${d.of({ sqlite: '', postgres: 'for key share' })}`,
)
const TRIAGE_OF = sql(
  (d) => `select review_seq, ${TRIAGE_COLUMNS} from triage t
    where t.review_seq ${d.among('?1', 'bigint')} and t.account_id = ?2`,
)

/** Those of the reviews that the account sees, by fingerprint. */
function* visible(accountId: string, fingerprints: readonly string[]): Work<ReadonlyMap<string, Visible>> {
  const reviews = yield* REVIEW.all(AMONG, [...new Set(fingerprints)].map(bytesOf))
  const scopes = yield* scopesIn(accountId)
  const shown = reviews.filter(({ store, appId, market }) =>
    scopesWithin(scopes, { store, appId }).some(({ markets }) => markets.reviews.includes(market)),
  )
  const rows = yield* all<TriageRow & { review_seq: number }>(
    TRIAGE_OF,
    shown.map(({ seq }) => seq),
    accountId,
  )
  const bySeq = new Map(rows.map((row) => [row.review_seq, triageOf(row)]))
  return new Map(
    shown.map(({ seq, fingerprint }) => [fingerprint, { seq, triage: bySeq.get(seq) ?? UNTOUCHED }]),
  )
}

const DELETE = sql(
  (d) => `delete from triage where account_id = ?1 and review_seq ${d.among('?2', 'bigint')}`,
)

/** A review that is as if untouched has no row. */
function* save(
  accountId: string,
  reviews: readonly { readonly seq: number; readonly triage: Triage }[],
): Work<void> {
  yield* run(
    DELETE,
    accountId,
    reviews.map(({ seq }) => seq),
  )
  const touched = reviews.filter(({ triage }) => !isUntouched(triage))
  yield* TRIAGE.insertAll(
    'triage',
    touched.map(({ seq, triage }) => ({ reviewSeq: seq, accountId, ...triage })),
  )
}

function isUntouched({ status, assignee, tags, notes }: Triage): boolean {
  return status === 'new' && assignee === null && tags.length === 0 && notes.length === 0
}

/** Reviews of a user who leaves the account are nobody's. */
export function* unassign(accountId: string, userId: string): Work<void> {
  yield* run('update triage set assignee = null where account_id = ?1 and assignee = ?2', accountId, userId)
}
