import type { Storage } from '../../storage/port/storage.ts'

/** Storage whose claims are empty while `mayClaim` is false. Work in progress is finished and stored as usual. */
export function gateClaims(storage: Storage, mayClaim: () => boolean): Storage {
  const { feeds, occurrences, deliveries, deadLetters, reviewSources, reviewHistories, replies, alerts } =
    storage
  return {
    ...storage,
    feeds: { ...feeds, claim: async (request) => (mayClaim() ? feeds.claim(request) : []) },
    occurrences: {
      ...occurrences,
      claimForEnrichment: async (request) => (mayClaim() ? occurrences.claimForEnrichment(request) : []),
      fanOut: async (request, decide) =>
        mayClaim() ? occurrences.fanOut(request, decide) : { occurrences: 0, events: 0 },
    },
    deliveries: {
      ...deliveries,
      claim: async (request, allocate) => (mayClaim() ? deliveries.claim(request, allocate) : []),
    },
    deadLetters: {
      ...deadLetters,
      advanceReplays: async (now, expireAfterMs) =>
        mayClaim() ? deadLetters.advanceReplays(now, expireAfterMs) : 0,
    },
    reviewSources: {
      ...reviewSources,
      claim: async (request) => (mayClaim() ? reviewSources.claim(request) : []),
    },
    reviewHistories: {
      ...reviewHistories,
      claim: async (request) => (mayClaim() ? reviewHistories.claim(request) : null),
    },
    replies: { ...replies, claim: async (request) => (mayClaim() ? replies.claim(request) : []) },
    alerts: {
      ...alerts,
      claim: async (...request) => (mayClaim() ? alerts.claim(...request) : []),
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
