import type { HistoryState, ReviewHistory } from '../../../model/review-history.ts'
import type { Store } from '../../../model/vocabulary.ts'
import {
  columns,
  instant,
  integer,
  named,
  nullable,
  type ObjectOf,
  sha256,
  text,
  word,
} from '../../columns.ts'
import type { ReviewHistoryStorage } from '../../port/review-histories.ts'
import { bytesOf, flagOf, msOf, msOrNull } from '../../values.ts'
import { type Db, get, run, sql, type Work } from '../../work.ts'
import { lockFeedsOf } from './coverage.ts'
import { knownOfficial, recordMarkets, recordOfficial } from './official-reviews.ts'
import { appOf } from './review-sources.ts'
import { upsertReviews } from './reviews.ts'
import { CONNECTION_OF_SOURCE, SOURCE } from './source-columns.ts'

/** Of `review_histories h join review_sources s`. */
const HISTORY = columns(
  {
    sourceId: integer,
    store: named('s.store', word<Store>()),
    appId: named('s.app_id', text),
    state: word<HistoryState>(),
    startedAt: instant,
    updatedAt: instant,
    reviews: integer,
    added: integer,
    known: integer,
    ratingsOnly: integer,
    malformed: integer,
    progress: {
      done: named('h.progress_done', nullable(integer)),
      total: named('h.progress_total', nullable(integer)),
    },
    problem: nullable(text),
  },
  'h',
)

const LEASED_HISTORY = columns(
  {
    ...HISTORY.shape,
    accountId: named('s.account_id', text),
    cursor: named('h.page_cursor', nullable(text)),
    failures: integer,
    ...CONNECTION_OF_SOURCE,
  },
  'h',
)

const SHOWN = columns({ fingerprint: sha256, shownAt: instant })
const SHOWN_AMONG = sql((d) => `from reviews where fingerprint ${d.among('?1', 'bytea')}`)

export function reviewHistoryStorage(db: Db): ReviewHistoryStorage {
  return {
    async start(accountId, { store, appId }, now) {
      return (await db.alone(run(START, accountId, store, appId, msOf(now)))) > 0
    },

    async stop(accountId, { store, appId }, now) {
      const stop = `update review_histories set state = 'stopped', next_at = null, lease = null, updated_at = ?4
        where state = 'running' and source_id in (
          select id from review_sources where account_id = ?1 and store = ?2 and app_id = ?3)`
      return (await db.alone(run(stop, accountId, store, appId, msOf(now)))) > 0
    },

    async list(accountId) {
      const found = HISTORY.all(
        `from review_histories h join review_sources s on s.id = h.source_id
         where s.account_id = ?1 order by s.store, s.app_id`,
        accountId,
      )
      return (await db.alone(found)).map(historyOf)
    },

    async claim({ now, lease, leaseMs }) {
      const due = get('select 1 from review_histories where next_at <= ?1 limit 1', msOf(now))
      const claimed = await db.transactionFor(
        () => due,
        function* () {
          const history = yield* LEASED_HISTORY.find(DUE, msOf(now))
          if (history === null) return null
          const update = 'update review_histories set next_at = ?1, lease = ?2 where source_id = ?3'
          yield* run(update, msOf(now) + leaseMs, lease, history.sourceId)
          return { ...history, ...historyOf(history), lease }
        },
      )
      return claimed ?? null
    },

    commit: (...given) => db.transaction(() => commit(...given)),

    async fail({ sourceId, lease, at }, problem, nextAt, fromStart) {
      await db.alone(
        run(
          `update review_histories set state = ?1, next_at = ?2, lease = null, failures = failures + 1, problem = ?3,
             updated_at = ?4, page_cursor = case when cast(?5 as integer) = 1 then null else page_cursor end
           where source_id = ?6 and lease = ?7`,
          ...[nextAt === null ? 'failed' : 'running', msOrNull(nextAt), problem, msOf(at), flagOf(fromStart)],
          ...[sourceId, lease],
        ),
      )
    },
  }
}

/** A finished history starts again from nothing. */
const unlessDone = (column: string, otherwise: string) =>
  `${column} = case when h.state = 'done' then ${otherwise} else h.${column} end`
const START = `insert into review_histories as h (source_id, state, started_at, updated_at, next_at)
  select id, 'running', cast(?4 as bigint), cast(?4 as bigint), 0 from review_sources
  where account_id = ?1 and store = ?2 and app_id = ?3 and state = 'official'
  on conflict (source_id) do update set state = 'running', updated_at = excluded.updated_at, next_at = 0, failures = 0,
    problem = null, ${unlessDone('started_at', 'excluded.started_at')},
    ${['reviews', 'added', 'known', 'ratings_only', 'malformed'].map((count) => unlessDone(count, '0')).join(', ')},
    ${['page_cursor', 'progress_done', 'progress_total'].map((value) => unlessDone(value, 'null')).join(', ')}`

/** The running history that is due longest. */
const DUE = sql(
  (d) => `from review_histories h join review_sources s on s.id = h.source_id
      join store_connections c on c.id = s.connection_id
    where h.next_at <= ?1 and s.state = 'official' order by h.next_at, h.source_id limit 1
    ${d.forUpdate('of h skip locked')}`,
)

const LEASED = sql(
  (d) => `from review_sources s join review_histories h on h.source_id = s.id
    where s.id = ?1 and h.lease = ?2 and s.state = 'official' ${d.forUpdate()}`,
)

function historyOf(stored: ObjectOf<typeof HISTORY.shape>): ReviewHistory {
  const { done, total } = stored.progress
  return { ...stored, progress: done === null || total === null ? null : { done, total } }
}

function* commit(
  ...[page, fetched, enrich, decide]: Parameters<ReviewHistoryStorage['commit']>
): Work<boolean> {
  const app = yield* appOf(page.sourceId)
  if (app === null) return false
  // Polls of the app wait for this commit. Locks are taken in the order of polls.
  yield* lockFeedsOf([app])
  const source = yield* SOURCE.find(LEASED, page.sourceId, page.lease)
  if (source === null) return false
  const fingerprints = fetched.map(({ review }) => bytesOf(review.fingerprint))
  const known = yield* knownOfficial(source, fetched)
  const shown = yield* SHOWN.all(SHOWN_AMONG, fingerprints)
  const { seen, toStore: unseen } = decide({
    ...known,
    publicUntil: source.publicUntil,
    shownAt: new Map(shown.map(({ fingerprint, shownAt }) => [fingerprint, shownAt])),
  })
  yield* recordOfficial(source.id, seen, source.publicSeq ?? 0)
  const request = { readyAt: page.at, enrich }
  const toStore = yield* upsertReviews(unseen, known.contentHashes, { polledAt: page.at }, request)
  yield* recordMarkets(source, toStore, page.at)
  const added = toStore.filter((review) => !known.contentHashes.has(review.fingerprint)).length
  yield* run(
    `update review_histories set state = ?1, next_at = ?2, lease = null, page_cursor = ?3, updated_at = ?4,
       reviews = reviews + cast(?5 as integer), added = added + cast(?6 as integer),
       known = known + cast(?5 as integer) - cast(?6 as integer), ratings_only = ratings_only + ?7,
       malformed = malformed + ?8, progress_done = coalesce(cast(?9 as bigint), progress_done),
       progress_total = coalesce(cast(?10 as bigint), progress_total), failures = 0, problem = null
     where source_id = ?11`,
    ...[
      page.next === null ? 'done' : 'running',
      msOrNull(page.next === null ? null : page.nextAt),
      page.next,
    ],
    ...[msOf(page.at), fetched.length, added, page.ratingsOnly, page.malformed],
    ...[page.progress?.done ?? null, page.progress?.total ?? null, source.id],
  )
  return true
}
