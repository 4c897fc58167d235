import { LRUCache } from 'lru-cache'

/**
 * A cache of the `entriesMax` most recently used entries. Its memory grows with its entries: with the option `max`, LRUCache would allocate
 * all of it at once, which takes 6 ms for 20,000 entries. A service has a dozen such caches. `entriesOf`: for how many entries one counts,
 * a whole number from 1, where entries have very different sizes.
 */
export function createBoundedCache<Key extends {}, Value extends {}>(
  entriesMax: number,
  entriesOf: (value: Value, key: Key) => number = () => 1,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: entriesOf })
}
