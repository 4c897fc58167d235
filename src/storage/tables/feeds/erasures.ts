import type { Enrichment } from '../../../model/enrichment.ts'
import { ownerOf } from '../../../model/market.ts'
import { eventIdOf } from '../../../model/occurrence.ts'
import { shownIdsOf } from '../../../model/public-review-id.ts'
import { fingerprintOf, importFingerprintOf, type Review } from '../../../model/review.ts'
import { officialFingerprintOf } from '../../../model/review-source.ts'
import type { Store } from '../../../model/vocabulary.ts'
import { columns, json, nullable, sha256, text, word } from '../../columns.ts'
import type { Erased, ErasureStorage, ErasureTarget, SearchedPart } from '../../port/erasures.ts'
import { bytesOf, hexOf } from '../../values.ts'
import { all, type Db, get, run, runRows, type SqlPair, sql, type Work } from '../../work.ts'
import { deleteEvents, seqsOfEvents } from '../queue/events.ts'

/** Numbers of a table that are searched at once: with texts about 10 MB. */
const PART_ROWS = 5_000
/** Event ids that are computed and looked up at once, and a few more. An installation may have 100,000 hooks. */
const IDS_PER_STATEMENT = 1_000

export function erasureStorage(db: Db): ErasureStorage {
  return {
    erase: (...review) => db.transaction(() => erase(...review)),
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

type Identity = Pick<Review, 'store' | 'appId' | 'reviewId' | 'fingerprint'>

/** The fingerprints of those that are erased: by their account, or, under any id of the store, by the operator. */
export function* erasedAmong(reviews: readonly Identity[]): Work<ReadonlySet<string>> {
  if (reviews.length === 0) return new Set()
  const keys = new Map(
    reviews.map((review) => [review.fingerprint, [review.fingerprint, ...publicFingerprintsOf(review)]]),
  )
  const distinct = [...new Set([...keys.values()].flat())]
  const rows = yield* all<{ fingerprint: Uint8Array }>(ERASED, distinct.map(bytesOf))
  const erased = new Set(rows.map(({ fingerprint }) => hexOf(fingerprint)))
  return new Set([...keys].flatMap(([own, each]) => (each.some((key) => erased.has(key)) ? own : [])))
}

/** Every way to store a review calls it, so that an erased one is not stored again. */
export function* withoutErased<Row extends Identity>(reviews: readonly Row[]): Work<readonly Row[]> {
  const erased = yield* erasedAmong(reviews)
  return reviews.filter(({ fingerprint }) => !erased.has(fingerprint))
}

function publicFingerprintsOf(review: Omit<Identity, 'fingerprint'>): string[] {
  return shownIdsOf(review).map((id) => fingerprintOf(review.store, review.appId, id))
}

/** A stored row of a review, or an erased one. `owner`: the account whose private copy it is; null for the public one. */
type Copy = { readonly fingerprint: string; readonly owner: string | null }

const STORED = columns({
  ...{ fingerprint: sha256, store: word<Store>(), appId: text, reviewId: text, market: text },
  enrichment: nullable(json<Enrichment>()),
})
const STORED_AMONG = sql((d) => `from reviews where fingerprint ${d.among('?1', 'bytea')}`)

/** The accounts that have reviews of their own of an app. */
const OWNERS = 'select distinct account_id from imports where store = ?1 and app_id = ?2'

/**
 * All fingerprints that the review may have, computed instead of searched, because an app may have 100,000 reviews, and because events
 * outlive their review. With `ownerId` only those of this account.
 */
function* copiesOf(review: Identity, ownerId: string | null): Work<Copy[]> {
  const { store, appId } = review
  const owners =
    ownerId === null
      ? (yield* all<{ account_id: string }>(OWNERS, store, appId)).map(({ account_id }) => account_id)
      : [ownerId]
  const shared = ownerId === null ? publicFingerprintsOf(review) : []
  return [
    ...shared.map((fingerprint) => ({ fingerprint, owner: null })),
    ...shownIdsOf(review).flatMap((id) =>
      owners.flatMap((owner) =>
        [importFingerprintOf, officialFingerprintOf].map((of) => ({
          ...{ fingerprint: of(owner, store, appId, id), owner },
        })),
      ),
    ),
  ]
}

const REMEMBER = {
  sqlite: 'insert into erased_reviews (fingerprint) values (?1) on conflict do nothing',
  postgres:
    'insert into erased_reviews (fingerprint) select * from unnest(?1::bytea[]) order by 1 on conflict do nothing',
}

/**
 * The occurrence is deleted before its events are looked up: on PostgreSQL that waits for a fan-out that holds it. A request in flight ends
 * without a result.
 */
function* erase(...[given, ownerId, cached = 'forget']: Parameters<ErasureStorage['erase']>): Work<Erased> {
  const [review] = yield* STORED.all(STORED_AMONG, [bytesOf(given)])
  const found = review === undefined ? [] : yield* copiesOf(review, ownerId)
  const copies = [
    ...found.filter(({ fingerprint }) => fingerprint !== given),
    { fingerprint: given, owner: ownerId ?? (review === undefined ? null : ownerOf(review.market)) },
  ]
  const fingerprints = copies.map(({ fingerprint }) => fingerprint)
  const keys = fingerprints.map(bytesOf)
  // The fingerprints of the public pages stand for the copies of all accounts, also of later ones.
  const remembered = copies.filter(({ fingerprint, owner }) => fingerprint === given || owner === ownerId)
  yield* runRows(
    REMEMBER,
    remembered.map(({ fingerprint }) => [bytesOf(fingerprint)]),
  )
  const stored = yield* STORED.all(STORED_AMONG, keys)
  const tested = yield* all<{ account_id: string }>(OF_TESTS, keys)
  yield* run(OCCURRENCES, keys)
  yield* run(REVIEWS, keys)
  const spikes = review === undefined ? [] : yield* spikesWith(review, stored, ownerId)
  const seqs = [...new Set([...(yield* eventsWith(copies, ownerId)), ...spikes])]
  const accounts = new Set(stored.flatMap(({ market }) => ownerOf(market) ?? []))
  for (const { account_id } of tested) accounts.add(account_id)
  for (const statement of [OF_EVENTS, OF_REPLIES]) {
    const values = statement === OF_EVENTS ? seqs : fingerprints
    for (const row of yield* all<{ account_id: string }>(statement, values)) accounts.add(row.account_id)
  }
  yield* deleteEvents(seqs)
  yield* run(REPLIES, fingerprints)
  // The texts of answers, and tags.
  yield* run(AUDITED, fingerprints)
  // Pages of the store are not of one account.
  if (review !== undefined && ownerId === null) yield* deleteRaw(review)
  const forgotten = cached === 'forget' ? stored : []
  const summaries = new Set(forgotten.flatMap(({ enrichment }) => enrichment?.summary_en || []))
  for (const summary of summaries) yield* run(CACHED, JSON.stringify(summary))
  return { reviews: stored.length, events: seqs.length, accounts: [...accounts].sort() }
}

const OCCURRENCES = sql((d) => `delete from occurrences where occurrence_id ${d.among('?1', 'bytea')}`)
const OF_TESTS = sql(
  (d) => `select distinct t.account_id from reviews r join tests t on t.review_seq = r.seq
    where r.fingerprint ${d.among('?1', 'bytea')}`,
)
/** Tests and triage go with their review. */
const REVIEWS = sql((d) => `delete from reviews where fingerprint ${d.among('?1', 'bytea')}`)
const REPLIES = sql((d) => `delete from replies where fingerprint ${d.among('?1', 'text')}`)
const OF_REPLIES = sql(
  (d) => `select distinct account_id from replies where fingerprint ${d.among('?1', 'text')}`,
)
const OF_EVENTS = sql((d) => `select distinct account_id from events where seq ${d.among('?1', 'bigint')}`)
const AUDITED = sql(
  (d) =>
    `update audit_entries set detail = null
     where substr(action, 1, 6) in ('reply.', 'review') and target ${d.among('?1', 'text')}`,
)

/** The events of copies. An index has only their ids, which follow from the hook. */
function* eventsWith(copies: readonly Copy[], ownerId: string | null): Work<number[]> {
  type Hook = { id: string; account_id: string }
  const hooks =
    ownerId === null
      ? yield* all<Hook>('select id, account_id from hooks')
      : yield* all<Hook>('select id, account_id from hooks where account_id = ?1', ownerId)
  const seqs: number[] = []
  let ids: string[] = []
  for (const { id, account_id } of hooks) {
    for (const { fingerprint, owner } of copies)
      if (owner === null || owner === account_id) ids.push(eventIdOf(id, fingerprint))
    if (ids.length < IDS_PER_STATEMENT) continue
    seqs.push(...(yield* seqsOfEvents(ids)))
    ids = []
  }
  return [...seqs, ...(yield* seqsOfEvents(ids))]
}

const SPIKES = contains(
  (d) => `select e.seq from accounts a ${d.thenJoin} events e on e.account_id = a.id
    where e.store = ?1 and e.app_id = ?2 and e.event_type = 'reviews.spiked' and a.id = coalesce(?4, a.id)`,
  'e.body',
  '?3',
)

/** Events of spikes show the texts of their reviews. */
function* spikesWith(
  { store, appId }: Identity,
  stored: readonly Identity[],
  ownerId: string | null,
): Work<number[]> {
  const seqs: number[] = []
  for (const { fingerprint } of stored)
    for (const { seq } of yield* all<{ seq: number }>(SPIKES, store, appId, fingerprint, ownerId))
      seqs.push(seq)
  return seqs
}

/** Answers of the model server with the summary: what they were asked is only a hash. */
const CACHED = contains(() => 'delete from model_cache where true', 'enrichment', '?1')

/** The last page of each feed of the app as the store sent it, and rows of this review that could not be parsed. */
function* deleteRaw(review: Identity): Work<void> {
  const { store, appId } = review
  const feeds = 'feed_id in (select id from feeds where store = ?1 and app_id = ?2)'
  yield* run(`delete from raw_answers where ${feeds}`, store, appId)
  for (const id of shownIdsOf(review))
    yield* run(`delete from quarantined_rows where ${feeds} and row_key = ?3`, store, appId, id)
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
