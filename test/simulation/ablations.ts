import type { Storage } from '../../src/storage/port.ts'

/**
 * Defects put in on purpose: a simulation that does not find them proves nothing. Each wraps the storage of one node.
 */
export const ABLATIONS: Readonly<Record<string, (storage: Storage) => Storage>> = {
  /** Every eleventh event of fan-out is not stored. */
  'lost-event': (storage) => {
    let made = 0
    return withPart(storage, 'occurrences', {
      fanOut: (request, decide) =>
        storage.occurrences.fanOut(request, (occurrence, candidates) =>
          decide(occurrence, candidates).filter(() => {
            made += 1
            return made % 11 !== 0
          }),
        ),
    })
  },
  /** Fan-out takes every hook of the app for a match. */
  'no-filter': (storage) =>
    withPart(storage, 'occurrences', {
      fanOut: (request, decide) =>
        storage.occurrences.fanOut(request, (occurrence, candidates) =>
          decide(
            occurrence,
            candidates.map(({ watch, storefronts }) => ({
              watch: { ...watch, minStars: 1, maxStars: 5 },
              storefronts,
            })),
          ),
        ),
    }),
  /** Events do not look forward: a hook gets what was published before it. */
  'looks-back': (storage) =>
    withPart(storage, 'occurrences', {
      fanOut: (request, decide) =>
        storage.occurrences.fanOut(request, (occurrence, candidates) =>
          decide(
            occurrence,
            candidates.map(({ watch, storefronts }) => ({
              watch: { ...watch, createdAt: new Date(0) },
              storefronts,
            })),
          ),
        ),
    }),
  /** Leases of deliveries end at once. */
  'short-leases': (storage) =>
    withPart(storage, 'deliveries', {
      claim: async (request, allot) => {
        const claimed = await storage.deliveries.claim({ ...request, leaseMs: 1 }, allot)
        return claimed
      },
    }),
  /** Results of attempts are dropped. */
  'no-settle': (storage) => withPart(storage, 'deliveries', { settle: async () => {} }),
}

export function withPart<Name extends 'occurrences' | 'deliveries' | 'feeds' | 'upkeep' | 'pace'>(
  storage: Storage,
  name: Name,
  methods: Partial<Storage[Name]>,
): Storage {
  return { ...storage, [name]: { ...storage[name], ...methods } }
}
