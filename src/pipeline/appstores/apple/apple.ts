import type { Egress } from '../../../runtime/egress/egress.ts'
import { type Log, silentLog } from '../../../runtime/log.ts'
import type { AddedFormats } from '../added-formats.ts'
import type { AppStore } from '../appstore.ts'
import { createFeedSpellings } from './feed-spellings.ts'
import { FEED_SPELLINGS, PAGE_KINDS } from './known-formats.ts'
import { LOOKUP_IDS_MAX } from './lookup.ts'
import { ratings } from './ratings.ts'
import { otherReviewsPage, reviewSources, reviewsPage, sourcePages } from './reviews.ts'
import { oneApp, searchApps } from './search.ts'

export type AppleDeps = {
  readonly egress: Egress
  /** `https://itunes.apple.com`, or a simulated store. */
  readonly itunesUrl: string
  /** `https://apps.apple.com`, or a simulated store. */
  readonly webUrl: string
  readonly log?: Log
  /** Timeout of one request, 20 s by default: Apple's largest answer, the app page, is 1 MB. */
  readonly timeoutMs?: number
  readonly added?: AddedFormats['apple']
}

/** Apple's App Store through its public endpoints without a token. Remembers only which address of the feed works. */
export function createApple(options: AppleDeps): AppStore {
  const { added } = options
  const deps = {
    egress: options.egress,
    itunesUrl: options.itunesUrl.replace(/(?<!\/)\/+$/, ''),
    webUrl: options.webUrl.replace(/(?<!\/)\/+$/, ''),
    log: options.log ?? silentLog,
    timeoutMs: options.timeoutMs ?? 20_000,
    feedSpellings: createFeedSpellings([...FEED_SPELLINGS, ...(added?.feed_addresses ?? [])]),
    sources: reviewSources(added?.row_sorts),
    pageKinds: new Set([...PAGE_KINDS, ...(added?.page_kinds ?? [])]),
  }
  return {
    store: 'apple',
    ratingBatchMax: LOOKUP_IDS_MAX,
    reviewSources: deps.sources.map((source) => source.name),
    reviewsPage: (query, pace, signal) => reviewsPage(deps, query, { pace, signal }),
    otherReviewsPage: (query, pace, signal) => otherReviewsPage(deps, query, { pace, signal }),
    sourcePages: (query) => sourcePages(deps, query),
    ratings: (query, pace, signal) => ratings(deps, query, { pace, signal }),
    // No source of Apple shows it.
    firstPublishedAt: async () => null,
    search: (query, pace, signal) => searchApps(deps, query, { pace, signal }),
    app: (query, pace, signal) => oneApp(deps, query, { pace, signal }),
  }
}
