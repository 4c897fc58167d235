import type { Enrichment } from '../../../model/enrichment.ts'
import { ownerOf } from '../../../model/market.ts'
import { eventIdOf } from '../../../model/occurrence.ts'
import type { Erased, ErasureStorage, ErasureTarget, SearchedPart } from '../../port/erasures.ts'
import { bytesOf, hexOf } from '../../values.ts'
import { all, type Db, get, run, runRows, type SqlPair, sql, type Work } from '../../work.ts'
import { deleteEvents, seqsOfEvents } from '../queue/events.ts'

/** Numbers of a table that are searched at once: with texts about 10 MB. */
const PART_ROWS = 5_000
/** Event ids that are looked up at once. */
const IDS_PER_STATEMENT = 1_000

export function erasureStorage(db: Db): ErasureStorage {
  return {
    erase: (fingerprint, ownerId) => db.transaction(() => erase(fingerprint, ownerId)),
    reviewsOf: (target, after) => db.snapshot(() => searched('reviews', target, after)),
    eventsOf: (target, after) => db.snapshot(() => searched('events', target, after)),
    forgetAnswers: (limit) =>
      db.alone(
        run(
          'delete from model_cache where content_key in (select content_key from model_cache limit ?1)',
          limit,
        ),
      ),
  }
}

const ERASED = sql(
  (d) => `select fingerprint from erased_reviews where fingerprint ${d.among('?1', 'bytea')}`,
)

/** Every way to store a review calls it, so that an erased one is not stored again. */
export function* withoutErased<Row extends { readonly fingerprint: string }>(
  reviews: readonly Row[],
): Work<readonly Row[]> {
  if (reviews.length === 0) return reviews
  const rows = yield* all<{ fingerprint: Uint8Array }>(
    ERASED,
    reviews.map(({ fingerprint }) => bytesOf(fingerprint)),
  )
  const erased = new Set(rows.map(({ fingerprint }) => hexOf(fingerprint)))
  return reviews.filter(({ fingerprint }) => !erased.has(fingerprint))
}

type Copy = {
  seq: number
  fingerprint: Uint8Array
  market: string
  store: string
  app_id: string
  review_id: string
  enrichment: string | null
}

const COPIES = `select c.seq, c.fingerprint, c.market, c.store, c.app_id, c.review_id, c.enrichment
  from reviews r join reviews c on c.store = r.store and c.app_id = r.app_id and c.review_id = r.review_id
  where r.fingerprint = ?1`

const REMEMBER = {
  sqlite: 'insert into erased_reviews (fingerprint) values (?1) on conflict do nothing',
  postgres:
    'insert into erased_reviews (fingerprint) select * from unnest(?1::bytea[]) order by 1 on conflict do nothing',
}

/**
 * The occurrence is deleted before its events are looked up: on PostgreSQL that waits for a fan-out that holds it. A request in flight ends
 * without a result.
 */
function* erase(fingerprint: string, ownerId: string | null): Work<Erased> {
  const key = bytesOf(fingerprint)
  const found = yield* all<Copy>(COPIES, key)
  const copies = ownerId === null ? found : found.filter((copy) => hexOf(copy.fingerprint) === fingerprint)
  const fingerprints = [...new Set([fingerprint, ...copies.map((copy) => hexOf(copy.fingerprint))])]
  const keys = fingerprints.map(bytesOf)
  yield* runRows(
    REMEMBER,
    keys.map((each) => [each]),
  )
  yield* run(OCCURRENCES, keys)
  yield* run(REVIEWS, keys)
  const [first] = copies
  const spikes = first === undefined ? [] : yield* spikesWith(first, fingerprints)
  const seqs = [...new Set([...(yield* eventsWith(fingerprints, ownerId)), ...spikes])]
  const accounts = new Set(copies.flatMap(({ market }) => ownerOf(market) ?? []))
  for (const statement of [OF_EVENTS, OF_REPLIES]) {
    const values = statement === OF_EVENTS ? seqs : fingerprints
    for (const row of yield* all<{ account_id: string }>(statement, values)) accounts.add(row.account_id)
  }
  yield* deleteEvents(seqs)
  yield* run(REPLIES, fingerprints)
  // The text of an answer.
  yield* run(AUDITED, fingerprints)
  if (first !== undefined) yield* deleteRaw(first)
  for (const summary of new Set(copies.flatMap(summaryOf))) yield* run(CACHED, JSON.stringify(summary))
  return { reviews: copies.length, events: seqs.length, accounts: [...accounts].sort() }
}

const OCCURRENCES = sql((d) => `delete from occurrences where occurrence_id ${d.among('?1', 'bytea')}`)
const REVIEWS = sql((d) => `delete from reviews where fingerprint ${d.among('?1', 'bytea')}`)
const REPLIES = sql((d) => `delete from replies where fingerprint ${d.among('?1', 'text')}`)
const OF_REPLIES = sql(
  (d) => `select distinct account_id from replies where fingerprint ${d.among('?1', 'text')}`,
)
const OF_EVENTS = sql((d) => `select distinct account_id from events where seq ${d.among('?1', 'bigint')}`)
const AUDITED = sql(
  (d) =>
    `update audit_entries set detail = null where action like 'reply.%' and target ${d.among('?1', 'text')}`,
)

/** The events of reviews. An index has only their ids, which follow from the hook. */
function* eventsWith(fingerprints: readonly string[], ownerId: string | null): Work<number[]> {
  const hooks =
    ownerId === null
      ? yield* all<{ id: string }>('select id from hooks')
      : yield* all<{ id: string }>('select id from hooks where account_id = ?1', ownerId)
  const ids = hooks.flatMap(({ id }) => fingerprints.map((each) => eventIdOf(id, each)))
  const seqs: number[] = []
  for (let from = 0; from < ids.length; from += IDS_PER_STATEMENT)
    seqs.push(...(yield* seqsOfEvents(ids.slice(from, from + IDS_PER_STATEMENT))))
  return seqs
}

const SPIKES = contains(
  (d) => `select e.seq from accounts a ${d.thenJoin} events e on e.account_id = a.id
    where e.store = ?1 and e.app_id = ?2 and e.event_type = 'reviews.spiked'`,
  'e.body',
  '?3',
)

/** Events of spikes show the texts of their reviews. */
function* spikesWith(of: Copy, fingerprints: readonly string[]): Work<number[]> {
  const seqs: number[] = []
  for (const each of fingerprints)
    seqs.push(...(yield* all<{ seq: number }>(SPIKES, of.store, of.app_id, each)).map(({ seq }) => seq))
  return seqs
}

function summaryOf({ enrichment }: Copy): string[] {
  const summary = enrichment === null ? null : (JSON.parse(enrichment) as Enrichment).summary_en
  return summary ? [summary] : []
}

/** Answers of the model server with the summary: what they were asked is only a hash. */
const CACHED = contains(() => 'delete from model_cache where true', 'enrichment', '?1')

/** The last page of each feed of the app as the store sent it, and rows of this review that could not be parsed. */
function* deleteRaw({ store, app_id, review_id }: Copy): Work<void> {
  const feeds = 'feed_id in (select id from feeds where store = ?1 and app_id = ?2)'
  yield* run(`delete from raw_answers where ${feeds}`, store, app_id)
  yield* run(`delete from quarantined_rows where ${feeds} and row_key = ?3`, store, app_id, review_id)
}

function contains(select: Parameters<typeof sql>[0], text: string, part: string): SqlPair {
  const { sqlite, postgres } = sql(select)
  return {
    sqlite: `${sqlite} and instr(${text}, ${part}) > 0`,
    postgres: `${postgres} and strpos(${text}, ${part}) > 0`,
  }
}

const BETWEEN = 'seq > ?1 and seq <= ?2 and store = ?3'
const SEARCHES = {
  reviews: {
    author: `select fingerprint as key from reviews where ${BETWEEN} and author = ?4`,
    app: `select fingerprint as key from reviews where ${BETWEEN} and app_id = ?4`,
  },
  events: {
    author: contains(
      () =>
        `select distinct occurrence_id as key from events where ${BETWEEN} and event_type = 'review.created'`,
      'body',
      '?4',
    ),
    app: `select distinct occurrence_id as key from events where ${BETWEEN} and event_type = 'review.created' and app_id = ?4`,
  },
} as const

function* searched(
  table: 'reviews' | 'events',
  { store, author, appId }: ErasureTarget,
  after: number,
): Work<SearchedPart> {
  const until = after + PART_ROWS
  const last = (yield* get<{ seq: number | null }>(`select max(seq) as seq from ${table}`))?.seq ?? 0
  // Quotes in a text of the JSON are escaped, so that only the field matches.
  const name = table === 'events' ? `"author":${JSON.stringify(author)}` : author
  const search = SEARCHES[table][appId === undefined ? 'author' : 'app']
  const rows = yield* all<{ key: Uint8Array }>(search, after, until, store, appId ?? name ?? '')
  return { fingerprints: rows.map(({ key }) => hexOf(key)), next: until < last ? until : null }
}
