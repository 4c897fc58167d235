import type { Clock } from '../../runtime/clock.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { KnownHistory, LeasedHistory } from '../../storage/port/review-histories.ts'
import type { OfficialDecision, OfficialReview } from '../../storage/port/review-sources.ts'
import type { Storage } from '../../storage/port/storage.ts'
import {
  type HistoryPage,
  type OfficialFailureReason,
  type OfficialStore,
  openCredentials,
  SEALED_BY_ANOTHER_KEY,
} from '../appstores/official.ts'
import { officialReviewOf } from './official-reviews.ts'

export type HistoryLoopDeps = {
  readonly storage: Pick<Storage, 'reviewHistories'>
  readonly officialStores: readonly OfficialStore[]
  readonly detect: (fetched: readonly OfficialReview[], known: KnownHistory) => OfficialDecision
  readonly openSecret: Sealer['open']
  readonly clock: Clock
  readonly log: Log
  readonly newLease: () => string
  /** Wakes enrichment. */
  readonly onStored: () => void
}

export const HISTORY_LOOP = 'poll.history'

/** The fallback when no wake arrives (due-work.ts). */
const IDLE_MS = 60_000
/** A page has one to three requests with a timeout of 30 s each. */
const LEASE_MS = 5 * 60_000
/** Between two pages of an app, so that polls and replies keep most of the store's quota. */
const PAGE_GAP_MS = 1_000
const FAILURE_WAIT_MS = { min: 30_000, max: 3_600_000 }
/** Then the history ends as failed: with the doubling waits, after about half a day. */
const FAILURES_MAX = 20

/** Failures that pass. All others end the history, and a person has to change something. */
const TEMPORARY: ReadonlySet<OfficialFailureReason> = new Set([
  'rate_limited',
  'unavailable',
  'interrupted',
  'clock_skew',
  'agreement_missing',
])

/** Reads histories of official sources page by page, the one due longest first. */
export function historyLoop(deps: HistoryLoopDeps, settings: { readonly enriches: boolean }): Loop {
  const { storage, clock } = deps
  return {
    name: HISTORY_LOOP,
    idleMs: IDLE_MS,
    async pass(signal) {
      const history = await storage.reviewHistories.claim({
        now: clock.now(),
        lease: deps.newLease(),
        leaseMs: LEASE_MS,
      })
      if (history === null) return 'idle'
      await readPage(deps, settings.enriches, history, signal)
      return 'worked'
    },
  }
}

async function readPage(
  deps: HistoryLoopDeps,
  enriches: boolean,
  history: LeasedHistory,
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock, log, officialStores } = deps
  const { sourceId, lease, store, appId, cursor } = history
  const opened = openCredentials(deps.openSecret, history.connection)
  if (opened === null) {
    log.error('official.credentials_unreadable', { connection: history.connection.id })
    const failed = { sourceId, lease, at: clock.now() }
    await storage.reviewHistories.fail(failed, SEALED_BY_ANOTHER_KEY, null, false)
    return
  }
  const { credentials } = opened
  const client = officialStores.find(({ kind }) => kind === credentials.kind)
  if (client === undefined) throw new Error(`There is no client for ${credentials.kind}.`)
  const context = { pace: async () => !signal.aborted, signal }
  const page = await client.history({ credentials, appId, cursor }, context)
  const at = clock.now()
  if (page.kind === 'failed') {
    await recordFailure(deps, history, page, at)
    return
  }
  const fetched = page.reviews.map((review) => officialReviewOf(history, review, at))
  const committed = await storage.reviewHistories.commit(
    {
      sourceId,
      lease,
      at,
      next: page.next,
      nextAt: later(at, PAGE_GAP_MS),
      ratingsOnly: page.ratingsOnly,
      malformed: page.malformed.length,
      progress: page.progress,
    },
    fetched,
    enriches,
    (known) => deps.detect(fetched, known),
  )
  if (committed && fetched.length > 0) deps.onStored()
  log.info('history.page_read', {
    store,
    app_id: appId,
    source: sourceId,
    fetched: fetched.length,
    malformed_rows: page.malformed.length,
    done: page.next === null,
    lease_lost: !committed,
  })
}

async function recordFailure(
  { storage, log }: HistoryLoopDeps,
  { sourceId, lease, store, appId, cursor, failures }: LeasedHistory,
  failure: Extract<HistoryPage, { kind: 'failed' }>,
  at: Instant,
): Promise<void> {
  const { reason, detail, retryAfterMs = 0 } = failure
  // How long a cursor is valid is not known: a refused one starts again, and known reviews cost only their requests.
  const fromStart = reason === 'rejected' && cursor !== null
  const passes = (TEMPORARY.has(reason) || fromStart) && failures < FAILURES_MAX
  const { min, max } = FAILURE_WAIT_MS
  const waitMs = reason === 'interrupted' ? 0 : Math.max(retryAfterMs, Math.min(max, min * 2 ** failures))
  const nextAt = passes ? later(at, waitMs) : null
  await storage.reviewHistories.fail({ sourceId, lease, at }, detail, nextAt, fromStart)
  log.warn('history.page_failed', { store, app_id: appId, source: sourceId, reason, detail, ends: !passes })
}
