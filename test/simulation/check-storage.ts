import type { ClaimedDelivery, Settled } from '../../src/storage/port/deliveries.ts'
import type { LeasedFeed } from '../../src/storage/port/feeds.ts'
import type { LeasedSource, SourcePoll } from '../../src/storage/port/review-sources.ts'
import type { ClockState, TimeStorage } from '../../src/storage/port/time.ts'
import { type Ledger, sourceKey } from './ledger.ts'
import { recordClockStep } from './look-back.ts'
import type { ExecutedCall } from './storage-proxy.ts'

/** As in `keeper.ts`: smaller corrections of the service's clock are not a step. */
const JUMP_MS_MIN = 2_000
/** Clocks show whole milliseconds. */
const ROUNDING_MS = 2

/** `clockAheadMs`: how far the holder's clock was ahead when it claimed. */
type Held = {
  readonly lease: string
  readonly holder: Holder
  readonly untilMs: number
  readonly clockAheadMs: number
}
/** A process. */
export type Holder = {
  readonly name: string
  readonly isAlive: () => boolean
  readonly jumpedAtMs: () => number
}

/** Checks the calls that storage executes and reports leases that another process takes from a live holder. */
export type StorageCheck = {
  readonly executed: (holder: Holder, call: ExecutedCall) => void
  /** The feeds of an app were recomputed, which ends their leases. */
  readonly feedsChanged: () => void
}

export function createStorageCheck(ledger: Ledger, nowMs: () => number): StorageCheck {
  const deliveries = new Map<string, Held>()
  const feeds = new Map<number, Held>()
  /** When each lease of a feed began, which is before the request to the store. */
  const leasedAtMs = new Map<string, number>()
  const sources = new Map<number, LeasedSource>()
  /** A call stores the time at which it was made, even if it is executed much later. */
  const measureClock = ({ highWaterAt }: ClockState, calledAtMs: number) => {
    ledger.clock.aheadOfTrueMs = highWaterAt.getTime() - calledAtMs
  }
  const polled = (feedId: number, lease: string) =>
    ledger.polledAtMs.set(feedId, leasedAtMs.get(`${feedId} ${lease}`) ?? 0)

  const take = <Key>(held: Map<Key, Held>, key: Key, next: Held, what: string) => {
    const before = held.get(key)
    // A slow answer of storage makes a node's clock inexact. Differences below a jump are corrected, and leases with them.
    const correctedMs = Math.min(JUMP_MS_MIN, Math.max(0, next.clockAheadMs - (before?.clockAheadMs ?? 0)))
    const earlyMs = ROUNDING_MS + correctedMs
    if (before !== undefined && before.untilMs > nowMs() + earlyMs && before.holder.isAlive()) {
      // A process whose own clock jumped may treat its own leases as expired.
      const jumped = before.holder === next.holder && next.holder.jumpedAtMs() > before.untilMs - 3_600_000
      if (!jumped) {
        ledger.violate(
          'lease_stolen',
          `${next.holder.name} took ${what} ${String(key)}, which ${before.holder.name} holds for ${Math.round(before.untilMs - nowMs())} ms more`,
        )
      }
    }
    held.set(key, next)
  }
  const drop = <Key>(held: Map<Key, Held>, key: Key, lease: string) => {
    if (held.get(key)?.lease === lease) held.delete(key)
  }

  return {
    feedsChanged: () => feeds.clear(),
    executed(holder, { name, args, result, calledAtMs }) {
      switch (name) {
        case 'time.step':
          if ((result as ClockState).steps !== ledger.clock.steps)
            measureClock(result as ClockState, calledAtMs)
          recordClockStep(ledger, args[0] as Parameters<TimeStorage['step']>[0], result as ClockState)
          break
        case 'time.recordReading':
          ledger.clock.gapMs += (args[2] as number | undefined) ?? 0
          measureClock(result as ClockState, calledAtMs)
          break
        case 'deliveries.claim': {
          const { leaseMs, now } = args[0] as { readonly leaseMs: number; readonly now: Date }
          const next = {
            holder,
            untilMs: calledAtMs + leaseMs,
            clockAheadMs: now.getTime() - calledAtMs,
          }
          for (const { eventId, lease, attempts } of result as readonly ClaimedDelivery[]) {
            const event = ledger.events.get(eventId)
            if (event?.settled === true && !ledger.requeued.has(eventId))
              ledger.violate('sent_again', `${holder.name} claimed ${eventId}, which is delivered`)
            if (event !== undefined && attempts > event.requests + ledger.requeued.size)
              ledger.violate(
                'phantom_attempt',
                `${eventId} has ${attempts} attempts but ${event.requests} requests`,
              )
            take(deliveries, eventId, { ...next, lease }, 'delivery')
          }
          break
        }
        case 'deliveries.release':
          for (const { eventId, lease } of args[0] as readonly ClaimedDelivery[])
            drop(deliveries, eventId, lease)
          break
        case 'deliveries.settle':
          for (const { delivery, next } of args[0] as readonly Settled[]) {
            if (next.status === 'pending') ledger.lengthenedMs.set(delivery.seq, next.lengthenedByMs ?? 0)
            const held = deliveries.get(delivery.eventId)
            const event = ledger.events.get(delivery.eventId)
            if (held?.lease === delivery.lease && next.status === 'delivered' && event !== undefined)
              event.settled = true
            drop(deliveries, delivery.eventId, delivery.lease)
          }
          break
        case 'feeds.claim': {
          const { leaseMs, now } = args[0] as { readonly leaseMs: number; readonly now: Date }
          const next = {
            holder,
            untilMs: calledAtMs + leaseMs,
            clockAheadMs: now.getTime() - calledAtMs,
          }
          for (const { id, lease } of result as readonly LeasedFeed[]) {
            take(feeds, id, { ...next, lease }, 'feed')
            leasedAtMs.set(`${id} ${lease}`, nowMs())
          }
          break
        }
        case 'reviewSources.claim':
          for (const source of result as readonly LeasedSource[]) {
            leasedAtMs.set(`source ${source.id} ${source.lease}`, nowMs())
            sources.set(source.id, source)
          }
          break
        case 'reviewSources.leave':
        case 'storeConnections.remove':
          feeds.clear()
          break
        case 'reviewSources.commit': {
          // The first one changes the source, which recomputes the feeds of the app.
          feeds.clear()
          const { sourceId, lease } = args[0] as SourcePoll
          if (result !== true) break
          const atMs = leasedAtMs.get(`source ${sourceId} ${lease}`) ?? 0
          ledger.sourcePolledAtMs.set(sourceId, atMs)
          const source = sources.get(sourceId)
          if (source !== undefined) recordPoll(ledger, source, atMs)
          break
        }
        case 'feeds.release':
          for (const { id, lease } of args[0] as readonly LeasedFeed[]) drop(feeds, id, lease)
          break
        case 'feeds.commitReviews': {
          const { feedId, lease } = args[0] as { readonly feedId: number; readonly lease: string }
          drop(feeds, feedId, lease)
          polled(feedId, lease)
          break
        }
        case 'feeds.commitRatings':
        case 'feeds.commitFailures':
          for (const { feedId, lease } of args[0] as readonly { feedId: number; lease: string }[]) {
            drop(feeds, feedId, lease)
            polled(feedId, lease)
          }
          break
      }
    },
  }
}

function recordPoll(ledger: Ledger, { accountId, store, appId }: LeasedSource, atMs: number): void {
  const own = ledger.listings.filter(
    (listing) => listing.atMs >= atMs && listing.accountId === accountId && listing.appId === appId,
  )
  const key = sourceKey(accountId, store, appId)
  const listed = new Set(own.flatMap(({ reviewIds }) => reviewIds))
  ledger.officialPolls.set(key, [...(ledger.officialPolls.get(key) ?? []), { atMs, listed }])
}
