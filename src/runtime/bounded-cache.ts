import { LRUCache } from 'lru-cache'

/**
 * A cache of the `entriesMax` most recently used entries. Its memory grows with its entries: with the option `max`, LRUCache would allocate
 * all of it at once, which takes 6 ms for 20,000 entries. A service has a dozen such caches.
 */
export function createBoundedCache<Key extends {}, Value extends {}>(
  entriesMax: number,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 })
}
