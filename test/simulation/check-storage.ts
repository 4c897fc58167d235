import type { ClaimedDelivery, Settled } from '../../src/storage/port/deliveries.ts'
import type { LeasedFeed } from '../../src/storage/port/feeds.ts'
import type { Ledger } from './ledger.ts'
import type { ExecutedCall } from './storage-proxy.ts'

/** Clocks show whole milliseconds. */
const ROUNDING_MS = 2

type Held = { readonly lease: string; readonly holder: Holder; readonly untilMs: number }
/** A process. */
export type Holder = {
  readonly name: string
  readonly isAlive: () => boolean
  readonly jumpedAtMs: () => number
}

/** Watches the calls that storage executes, and finds leases that are taken away from a live holder. */
export type StorageCheck = {
  readonly executed: (holder: Holder, call: ExecutedCall) => void
  /** The feeds of an app were settled anew, which ends their leases. */
  readonly feedsChanged: () => void
}

export function createStorageCheck(ledger: Ledger, nowMs: () => number): StorageCheck {
  const deliveries = new Map<string, Held>()
  const feeds = new Map<number, Held>()

  const take = <Key>(held: Map<Key, Held>, key: Key, mine: Held, what: string) => {
    const before = held.get(key)
    if (before !== undefined && before.untilMs > nowMs() + ROUNDING_MS && before.holder.isAlive()) {
      // A process whose own clock jumped may take its own leases for over.
      const jumped = before.holder === mine.holder && mine.holder.jumpedAtMs() > before.untilMs - 3_600_000
      if (!jumped) {
        ledger.violate(
          'lease_stolen',
          `${mine.holder.name} took ${what} ${String(key)}, which ${before.holder.name} holds for ${Math.round(before.untilMs - nowMs())} ms more`,
        )
      }
    }
    held.set(key, mine)
  }
  const drop = <Key>(held: Map<Key, Held>, key: Key, lease: string) => {
    if (held.get(key)?.lease === lease) held.delete(key)
  }

  return {
    feedsChanged: () => feeds.clear(),
    executed(holder, { name, args, result, calledAtMs }) {
      switch (name) {
        case 'deliveries.claim': {
          const { leaseMs } = args[0] as { readonly leaseMs: number }
          for (const { eventId, lease, attempts } of result as readonly ClaimedDelivery[]) {
            const event = ledger.events.get(eventId)
            if (event?.settled === true && !ledger.requeued.has(eventId))
              ledger.violate('sent_again', `${holder.name} claimed ${eventId}, which is delivered`)
            if (event !== undefined && attempts > event.requests + ledger.requeued.size)
              ledger.violate('phantom_attempt', `${eventId} counts ${attempts}, ${event.requests} were made`)
            take(deliveries, eventId, { lease, holder, untilMs: calledAtMs + leaseMs }, 'delivery')
          }
          break
        }
        case 'deliveries.release':
          for (const { eventId, lease } of args[0] as readonly ClaimedDelivery[])
            drop(deliveries, eventId, lease)
          break
        case 'deliveries.settle':
          for (const { delivery, next } of args[0] as readonly Settled[]) {
            const held = deliveries.get(delivery.eventId)
            const event = ledger.events.get(delivery.eventId)
            if (held?.lease === delivery.lease && next.status === 'delivered' && event !== undefined)
              event.settled = true
            drop(deliveries, delivery.eventId, delivery.lease)
          }
          break
        case 'feeds.claim': {
          const { leaseMs } = args[0] as { readonly leaseMs: number }
          for (const { id, lease } of result as readonly LeasedFeed[])
            take(feeds, id, { lease, holder, untilMs: calledAtMs + leaseMs }, 'feed')
          break
        }
        case 'feeds.release':
          for (const { id, lease } of args[0] as readonly LeasedFeed[]) drop(feeds, id, lease)
          break
        case 'feeds.commitReviews': {
          const { feedId, lease } = args[0] as { readonly feedId: number; readonly lease: string }
          drop(feeds, feedId, lease)
          break
        }
        case 'feeds.commitRatings':
        case 'feeds.commitTrouble':
          for (const { feedId, lease } of args[0] as readonly { feedId: number; lease: string }[])
            drop(feeds, feedId, lease)
          break
      }
    },
  }
}
