import type { AnswerState } from '../../../model/reply.ts'
import { hexOf } from '../../values.ts'
import { all, type Dialect, sql, type Work } from '../../work.ts'
import type { Where } from '../queue/delivery-where.ts'

/**
 * The state of the answer to a review, of `replies p` and `reviews v`; null when the account has neither requested nor drafted one.
 * Without such a row, or with null, a review is published when the public page shows an answer, and unanswered otherwise.
 */
const STATE = `case
  when p.state in ('pending', 'sent', 'deleting') then 'pending'
  when p.state = 'refused' then 'refused'
  when p.state = 'published' and p.answered_hash <> v.content_hash then 'edited'
  when p.state = 'published' then 'published'
  when p.draft is not null then 'draft' end`

/** The account's answers with their reviews. They are few, so they are read once instead of for each review of the feed. */
function answers(d: Dialect, account: string, condition: string): string {
  return `(select v.seq from replies p join reviews v on v.fingerprint = ${d.unhex('p.fingerprint')}
    where p.account_id = ${account} and ${condition})`
}

/** The condition on `reviews r` that its answer is in this state; empty without one. `from`: the first parameter. */
export function answerWhere(
  state: AnswerState | undefined,
  accountId: string,
  engine: 'sqlite' | 'postgres',
  from: number,
): Where {
  if (state === undefined) return { sql: '', values: [] }
  const text = sql((d) => answerCondition(d, state, `?${from}`))
  return { sql: text[engine], values: [accountId] }
}

/** Two conditions, of which the second may be empty. `second` gets the place of its first parameter among those of both. */
export function bothWhere(first: Where, second: (from: number) => Where): Where {
  const { sql: more, values } = second(first.values.length + 1)
  return more === '' ? first : { sql: `${first.sql} and ${more}`, values: [...first.values, ...values] }
}

/** `account`: the parameter of the account. */
export function answerCondition(d: Dialect, state: AnswerState, account: string): string {
  const known = answers(d, account, `${STATE} is not null`)
  const isPublic = 'r.reply_text is not null'
  if (state === 'unanswered') return `(r.seq not in ${known} and r.reply_text is null)`
  const own = `r.seq in ${answers(d, account, `${STATE} = '${state}'`)}`
  return state === 'published' ? `(${own} or (${isPublic} and r.seq not in ${known}))` : own
}

/** The states of the answers to these reviews, for those that have one other than the public page tells. */
export function* answerStates(
  accountId: string,
  fingerprints: readonly string[],
): Work<ReadonlyMap<string, AnswerState>> {
  if (fingerprints.length === 0) return new Map()
  const rows = yield* all<{ fingerprint: Uint8Array; state: AnswerState | null }>(
    STATES,
    accountId,
    fingerprints,
  )
  return new Map(
    rows.flatMap(({ fingerprint, state }) => (state === null ? [] : [[hexOf(fingerprint), state]])),
  )
}

const STATES = sql(
  (
    d,
  ) => `select v.fingerprint, ${STATE} as state from replies p join reviews v on v.fingerprint = ${d.unhex('p.fingerprint')}
    where p.account_id = ?1 and p.fingerprint ${d.among('?2', 'text')}`,
)
