import type { AnswerState } from '../../../model/reply.ts'
import { all, type Dialect, sql, type Work } from '../../work.ts'
import type { Where } from '../queue/delivery-where.ts'

/**
 * The state of the answer to a review, of `replies p`; null when the account has neither requested nor drafted one. Without such a row, or
 * with null, a review is published when the public page shows an answer, and unanswered otherwise.
 */
function stateOf(review: 'r' | 'v'): string {
  return `case
    when p.state in ('pending', 'sent', 'deleting') then 'pending'
    when p.state = 'refused' then 'refused'
    when p.state = 'published' and p.answered_hash <> ${review}.content_hash then 'edited'
    when p.state = 'published' then 'published'
    when p.draft is not null then 'draft' end`
}

/** The stored states of answers that few reviews have, which an index finds. */
const STORED = {
  draft: "'draft', 'deleted'",
  pending: "'pending', 'sent', 'deleting'",
  refused: "'refused'",
  edited: "'published'",
} as const

/** Of each review of a feed, which ends with its first page of matches. */
export function answerStateOf(d: Dialect, account: string): string {
  return `coalesce((select ${stateOf('r')} from replies p where p.account_id = ${account} and p.fingerprint = ${d.hex('r.fingerprint')}),
    case when r.reply_text is null then 'unanswered' else 'published' end)`
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

/** A rare state is read from the account's answers once, since a feed would be read to its end. */
function answerCondition(d: Dialect, state: AnswerState, account: string): string {
  if (state === 'unanswered' || state === 'published') return `${answerStateOf(d, account)} = '${state}'`
  return `r.seq in (select v.seq from replies p join reviews v on v.fingerprint = ${d.unhex('p.fingerprint')}
    where p.account_id = ${account} and p.state in (${STORED[state]}) and ${stateOf('v')} = '${state}')`
}

/** The states of the answers to these reviews, for those that have one other than the public page tells. */
export function* answerStates(
  accountId: string,
  fingerprints: readonly string[],
): Work<ReadonlyMap<string, AnswerState>> {
  if (fingerprints.length === 0) return new Map()
  const rows = yield* all<{ fingerprint: string; state: AnswerState | null }>(STATES, accountId, fingerprints)
  return new Map(rows.flatMap(({ fingerprint, state }) => (state === null ? [] : [[fingerprint, state]])))
}

/** A review may have been erased. */
const STATES = sql(
  (
    d,
  ) => `select p.fingerprint, ${stateOf('v')} as state from replies p left join reviews v on v.fingerprint = ${d.unhex('p.fingerprint')}
    where p.account_id = ?1 and p.fingerprint ${d.among('?2', 'text')}`,
)
