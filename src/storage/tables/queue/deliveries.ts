import type { Attempt } from '../../../model/delivery.ts'
import { eventIdOf } from '../../../model/occurrence.ts'
import type { TargetType } from '../../../model/target.ts'
import type {
  DeadReason,
  DeliveryStatus,
  EventType,
  FailureReason,
  HookStatus,
  Store,
} from '../../../model/vocabulary.ts'
import { type Column, columns, instant, integer, named, nullable, sha256, text, word } from '../../columns.ts'
import type { DeliveryStorage, DeliveryView, OldestFirstPage, Page } from '../../port/deliveries.ts'
import { bytesOf, dateOf, msOf, parsed } from '../../values.ts'
import { all, type Db, get, run, sql, type Work } from '../../work.ts'
import { type DeliveryWhere, eventWhere, hashesOf, hashKey } from './delivery-where.ts'
import { isEvent, seqsOfEvents } from './events.ts'
import { retryStorage, sendAgain } from './retry.ts'
import { sweepEnded, sweepExpired } from './sweeps.ts'

/**
 * A page of events or dead letters, newest first unless it has `after`; limited to `seqs` if given. Reads of an engine (queue/pages.ts).
 */
export type PageOf = (
  where: DeliveryWhere,
  page: Page | OldestFirstPage,
  seqs?: readonly number[],
) => Promise<DeliveryView[]>

/** Test events stored per hook: one screen of the console. */
const TESTS_MAX = 20

/** Hooks before other work can run: on SQLite at most 11 ms with a million events. */
const HOOKS_PER_STEP = 50

/** The stored form of an attempt: one JSON text. */
type StoredAttempt = Omit<Attempt, 'startedAt'> & { readonly startedAtMs: number }

export function recordOf({ startedAt, ...attempt }: Attempt): string {
  return JSON.stringify({ ...attempt, startedAtMs: msOf(startedAt) } satisfies StoredAttempt)
}

const record: Column<Attempt> = {
  read: (stored) => {
    const { startedAtMs, ...attempt } = parsed<StoredAttempt>(String(stored))
    return { ...attempt, startedAt: dateOf(startedAtMs) }
  },
  store: recordOf,
  type: 'text',
}

const ATTEMPT = columns({ attempt: named('a.record', record) })
const TEST = columns({ attempt: named('record', record), body: text })
const MARKET = columns({ occurrenceId: sha256, market: text })

/**
 * Of `events e join deliveries d join hooks h join lanes l`. `dueAt` of a pending delivery is at least the end
 * of its hook's open breaker. `dueAt` of a delivery under way is the end of its lease.
 */
export const DELIVERY_VIEW = columns({
  seq: named('e.seq', integer),
  eventId: named('e.event_id', sha256),
  occurrenceId: named('e.occurrence_id', sha256),
  accountId: named('e.account_id', text),
  hookId: named('e.hook_id', text),
  eventType: named('e.event_type', word<EventType>()),
  store: named('e.store', word<Store>()),
  appId: named('e.app_id', text),
  status: named('d.status', word<DeliveryStatus>()),
  attempts: named('d.attempts', integer),
  createdAt: named('e.created_at', instant),
  dueAt: named(
    `case when d.leased_until is null and l.deferred_until > d.due_at then l.deferred_until
      else coalesce(d.leased_until, d.due_at) end`,
    nullable(instant),
  ),
  deliveredAt: named('d.delivered_at', nullable(instant)),
  deadAt: named('d.dead_at', nullable(instant)),
  deadReason: named('d.dead_reason', nullable(word<DeadReason>())),
  lastHttpStatus: named('d.last_http_status', nullable(integer)),
  lastReason: named('d.last_reason', nullable(word<FailureReason>())),
  resolvedAt: named('d.resolved_at', nullable(instant)),
  hookStatus: named(
    "case when h.deleted_at is null then h.status else 'deleted' end",
    word<HookStatus | 'deleted'>(),
  ),
  hookName: named('h.name', nullable(text)),
  targetType: named('h.target_type', word<TargetType>()),
  targetUrl: named('h.target_url', text),
  body: named('e.body', text),
})

const VIEW_OF_EVENT = sql(
  (d) => `from events e join deliveries d on d.seq = e.seq join hooks h on h.id = e.hook_id
    join lanes l on l.hook_id = e.hook_id where ${d.of(isEvent('e.seq', '?1'))} and e.account_id = ?2`,
)

const ATTEMPTS = sql(
  (d) => `from events e join attempts a on a.delivery_seq = e.seq
    where ${d.of(isEvent('e.seq', '?1'))} and e.account_id = ?2 order by a.seq`,
)

// So that nobody deletes it meanwhile.
const SHOWN_REVIEW = sql((d) => `select 1 from reviews where seq = ?1 ${d.forShare}`)

const MARKETS = sql((d) => `from occurrences where occurrence_id ${d.among('?1', 'bytea')} order by seq desc`)

/** Without claims, settles and the event log, which are in the engines' queue folders. */
export function deliveryStorage(
  db: Db,
  pageOf: PageOf,
): Omit<DeliveryStorage, 'claim' | 'release' | 'settle' | 'changeLanes' | 'eventsAfter'> {
  return {
    ...retryStorage(db),

    recordTest: (accountId, hookId, { attempt, body, reviewSeq }) =>
      db.transaction(function* () {
        if (reviewSeq !== null && (yield* get(SHOWN_REVIEW, reviewSeq)) === undefined) return
        const recorded = yield* run(
          `insert into tests (hook_id, account_id, record, body, review_seq)
           select id, account_id, cast(?1 as text), cast(?2 as text), ?5 from hooks
           where account_id = ?3 and id = ?4 and deleted_at is null`,
          ...[recordOf(attempt), body, accountId, hookId, reviewSeq],
        )
        if (recorded === 0) return
        yield* run(
          `delete from tests where hook_id = ?1 and seq not in (
             select seq from tests where hook_id = ?1 order by seq desc limit ?2)`,
          ...[hookId, TESTS_MAX],
        )
      }),

    tests: (accountId, hookId) =>
      db.alone(
        TEST.all('from tests where hook_id = ?1 and account_id = ?2 order by seq desc', hookId, accountId),
      ),

    sendAgain: (...given) => db.transaction(() => sendAgain(...given)),
    sweepEnded: (...given) => sweepEnded(db, ...given),
    sweepExpired: (...given) => sweepExpired(db, ...given),

    async get(accountId, eventId) {
      const key = hashKey(eventId)
      return key === null ? null : db.alone(DELIVERY_VIEW.find(VIEW_OF_EVENT, key, accountId))
    },

    async markets(occurrenceIds) {
      const found = await db.alone(MARKET.all(MARKETS, hashesOf(occurrenceIds).map(bytesOf)))
      return new Map(found.map(({ occurrenceId, market }) => [occurrenceId, market]))
    },

    async attempts(accountId, eventId) {
      const key = hashKey(eventId)
      if (key === null) return []
      return (await db.alone(ATTEMPT.all(ATTEMPTS, key, accountId))).map(({ attempt }) => attempt)
    },

    async list(accountId, { occurrenceId, ...filter }, page) {
      const seqs = occurrenceId === undefined ? undefined : await seqsOf(db, accountId, occurrenceId)
      return pageOf(eventWhere(accountId, filter), page, seqs)
    },
  }
}

/**
 * The account's events of an occurrence, found by the event ids of its hooks. An index by occurrence would cost a write
 * per event.
 */
async function seqsOf(db: Db, accountId: string, occurrenceId: string): Promise<number[]> {
  const hooks = await db.alone(hooksOf(accountId))
  const seqs: number[] = []
  for (let at = 0; at < hooks.length; at += HOOKS_PER_STEP) {
    const ids = hooks.slice(at, at + HOOKS_PER_STEP).map(({ id }) => eventIdOf(id, occurrenceId))
    seqs.push(...(await db.step(() => seqsOfEvents(ids))))
  }
  return seqs
}

function hooksOf(accountId: string): Work<{ id: string }[]> {
  return all('select id from hooks where account_id = ?1', accountId)
}
