import { STORES, type Store } from '../../src/model/vocabulary.ts'
import type { Ledger } from './ledger.ts'

/** Checks that all nodes together send at most `requestsPerMinute` requests to a store in any 60 seconds. */
export function createStoreLimit(ledger: Ledger, requestsPerMinute: number, nowMs: () => number) {
  const times = new Map<Store, number[]>(STORES.map((store) => [store, []]))
  return (store: Store): void => {
    const list = times.get(store) ?? []
    const now = nowMs()
    list.push(now)
    while ((list[0] ?? now) <= now - 60_000) list.shift()
    if (list.length > requestsPerMinute)
      ledger.violate(
        'store_limit',
        `${list.length} requests to ${store} within a minute; the limit is ${requestsPerMinute}`,
      )
  }
}
