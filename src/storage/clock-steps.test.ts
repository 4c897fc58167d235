import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '../runtime/instant.ts'
import { isRead } from './clock-steps.ts'
import type { Storage } from './port/storage.ts'
import { openSqlite } from './sqlite/open.ts'

type Scalar = string | number | boolean | null | undefined | Uint8Array | ReadonlySet<unknown>

/** Whether a value has a date that is not by the node's clock. */
type HasDate<Value> = Value extends Instant | Scalar
  ? never
  : Value extends Date
    ? true
    : Value extends readonly (infer Each)[]
      ? HasDate<Each>
      : Value extends ReadonlyMap<unknown, infer Each>
        ? HasDate<Each>
        : Value extends (...values: never) => infer Result
          ? HasDate<Result>
          : { readonly [Key in keyof Value]-?: HasDate<Value[Key]> }[keyof Value]

type Part = Exclude<keyof Storage & string, 'engine' | 'onWake'>
type MethodWithDate<Name extends Part> = {
  [Method in keyof Storage[Name] & string]: Storage[Name][Method] extends (...values: infer Values) => unknown
    ? true extends HasDate<Values[number]>
      ? Method
      : never
    : never
}[keyof Storage[Name] & string]
type MethodsWithDate = { readonly [Name in Part]: { readonly [Method in MethodWithDate<Name>]: Reason } }

/** Why a date of a call must not move with the clock. */
type Reason =
  /** A period that a person chose, of a query. */
  | 'period'
  /** A date of a store, or of what happened before. */
  | 'history'
  /** A row that storage returned, which is only identified by it or was read in the same commit. */
  | 'returned'

/** All other times of calls are instants: the compiler rejects a date that is neither one nor in this list. */
const DATES: MethodsWithDate = {
  accounts: {},
  people: {},
  atomFeeds: {},
  attemptLimits: {},
  replyTemplates: {},
  storeConnections: {},
  triage: {},
  savedViews: {},
  maintenance: {},
  invariants: {},
  alerts: { create: 'history', settle: 'returned' },
  audit: { list: 'period' },
  deadLetters: {
    count: 'period',
    countByReason: 'period',
    countRecoverable: 'period',
    createReplays: 'period',
    list: 'period',
  },
  deliveries: { list: 'period', recordTest: 'history', release: 'returned', settle: 'returned' },
  erasures: {},
  feeds: { commitReviews: 'history', ratingsGrowth: 'period', release: 'returned', saveApps: 'history' },
  hooks: { addToInbox: 'history', create: 'history', update: 'returned' },
  imports: { add: 'history' },
  occurrences: { enrichAgain: 'period', fanOut: 'history', releaseEnrichment: 'returned' },
  pace: { change: 'returned' },
  sourceHealth: { change: 'returned' },
  replies: { settle: 'returned' },
  reports: {
    app: 'period',
    countReviews: 'period',
    countToAnswer: 'period',
    negativeReviews: 'period',
    overview: 'period',
    ratingHistories: 'period',
    reviews: 'period',
    toAnswer: 'period',
  },
  reviewHistories: { commit: 'history' },
  reviewSources: { commit: 'history' },
  statistics: {
    ratings: 'period',
    requestedFeatures: 'period',
    reviewedVersions: 'period',
    reviewCounts: 'period',
  },
  time: { step: 'history' },
}

test('the times of each call are instants of the clock, except periods, history and what storage returned', async () => {
  await using storage = await openSqlite({ file: ':memory:' })
  for (const [part, methods] of Object.entries(DATES))
    for (const method of Object.keys(methods))
      assert.equal(typeof (storage[part as Part] as Record<string, unknown>)[method], 'function')
})

test('a statement with tables of its own is a read, unless it writes', () => {
  const found = 'with found as (select id from lanes limit 1)'
  assert.ok(isRead(`${found} select * from found`))
  assert.ok(isRead('select * from found'))
  for (const write of [
    'update lanes set state = 1',
    'update lanes l set state = 1',
    'update lanes as l set state = 1',
    'insert into lanes select * from found',
    'delete from lanes',
  ]) {
    assert.ok(!isRead(`${found} ${write}`), write)
    assert.ok(!isRead(write), write)
  }
})
