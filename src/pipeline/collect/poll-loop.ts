import type { Meter } from '../../model/metrics.ts'
import type { FeedKind } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import { createTasks } from '../../runtime/tasks.ts'
import type { LeasedFeed } from '../../storage/port/feeds.ts'
import type { FeedQueue } from '../../storage/port/maintenance.ts'
import type { Storage } from '../../storage/port/storage.ts'
import type { AppStore } from '../appstores/appstore.ts'
import type { StorePace } from './pace.ts'

/** Dependencies of every poll, of reviews and of ratings. */
export type PollDeps = {
  readonly pace: StorePace
  readonly clock: Clock
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Log
  readonly meter: Meter
  /** Wakes enrichment and fan-out. */
  readonly onOccurrences: () => void
}

export type PollLoopDeps = Pick<PollDeps, 'pace' | 'clock' | 'log'> & {
  readonly storage: Pick<Storage, 'feeds'>
  readonly appStore: AppStore
  readonly newLease: () => string
  /** Wakes the loop: a poll ended, so there is room for another. */
  readonly wake: (name: string) => void
}

export type PollLoopSettings = {
  readonly leaseMs: number
  readonly idleMs: number
  /** Polls under way at once, so that one slow answer does not delay the others. */
  readonly pollsMax: number
}

export function pollLoopName(queue: FeedQueue): string {
  return `poll.${queue}`
}

/**
 * Leases the due feeds of one store and kind and polls several at once. Leases nothing while the store is blocked.
 * `poll` gets feeds of one market that fit into one request.
 */
export function pollLoop(
  deps: PollLoopDeps,
  settings: PollLoopSettings,
  kind: FeedKind,
  poll: (feeds: readonly LeasedFeed[], signal: AbortSignal) => Promise<void>,
): Loop {
  const { storage, appStore, pace, clock, log } = deps
  const { store } = appStore
  const name = pollLoopName(`${store}.${kind}`)
  const tasks = createTasks(settings.pollsMax, () => deps.wake(name))
  const feedsPerPoll = kind === 'rating' ? appStore.ratingBatchMax : 1

  const guarded = async (feeds: readonly LeasedFeed[], signal: AbortSignal) => {
    try {
      await poll(feeds, signal)
    } catch (error) {
      log.error('feed.poll_failed', { store, kind, feeds: feeds.map((feed) => feed.id), error })
      await releaseFailed(deps, feeds, error)
    }
  }
  return {
    name,
    idleMs: settings.idleMs,
    async pass(signal) {
      if (tasks.free() <= 0 || (await pace.blockedUntil()) !== null) return 'idle'
      const feeds = await storage.feeds.claim({
        store,
        kind,
        now: clock.now(),
        lease: deps.newLease(),
        leaseMs: settings.leaseMs,
        limit: feedsPerPoll === 1 ? tasks.free() : feedsPerPoll,
        sameMarket: feedsPerPoll > 1,
      })
      if (feeds.length === 0) return 'idle'
      if (feedsPerPoll > 1) tasks.run(() => guarded(feeds, signal))
      else for (const feed of feeds) tasks.run(() => guarded([feed], signal))
      return 'worked'
    },
    finish: tasks.ended,
  }
}

/** The wait after an internal error, to avoid a tight loop. */
const ERROR_WAIT_MS = 15 * 60_000

/** Releases the feeds of a poll that threw. They are due again after the wait. */
async function releaseFailed(
  { storage, clock, log }: PollLoopDeps,
  feeds: readonly LeasedFeed[],
  error: unknown,
): Promise<void> {
  const polledAt = clock.now()
  const nextPollAt = later(polledAt, ERROR_WAIT_MS)
  const detail = `Internal error: ${error instanceof Error ? error.message : String(error)}`
  try {
    await storage.feeds.commitFailures(
      feeds.map(({ id, lease }) => ({
        feedId: id,
        lease,
        polledAt,
        outcome: 'unknown',
        source: '',
        detail,
        raw: null,
        nextPollAt,
      })),
    )
  } catch (releaseError) {
    log.error('feed.poll_failed', { feeds: feeds.length, releasing: true, error: releaseError })
  }
}
