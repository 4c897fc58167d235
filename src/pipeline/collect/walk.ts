import type { FeedSources, PollOutcome } from '../../model/feed.ts'
import { contentHashOf, fingerprintOf, type Review, type StoreReview } from '../../model/review.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { FeedStorage, LeasedFeed } from '../../storage/port/feeds.ts'
import type { AppStore, Pace, ReviewsPage, Trouble } from '../appstores/appstore.ts'
import { createDating } from './dating.ts'
import { createOddRows, type OddRows } from './odd-rows.ts'
import { createSourceWatch } from './source-watch.ts'

export type WalkDeps = {
  readonly appStore: AppStore
  readonly feeds: Pick<FeedStorage, 'known' | 'knownOddRows' | 'ratingsGrowth'>
  readonly clock: Clock
}

/** What a walk through a feed's pages brought. */
export type Walk = {
  /** `ok` or `empty` when the walk ended well, else the trouble that ended it; `reviews` may hold some all the same. */
  readonly outcome: PollOutcome
  readonly source: string
  readonly detail: string | null
  readonly raw: string | null
  readonly retryAfterMs: number
  /** Newest first, each once. */
  readonly reviews: readonly Review[]
  readonly oddRows: OddRows
  /** The walk went as deep as every quarantined row. */
  readonly lookedForAll: boolean
  /** What the feed remembers of its store's sources from now on. */
  readonly sources: FeedSources
  /** Answers of a changed format from sources that another one stood in for. */
  readonly changedSources: readonly Trouble[]
  readonly pages: number
  /** The walk did not come as far as it had to: the next one must not stop at the first known page. */
  readonly incomplete: boolean
  /** It ended because we are to stop, or because the store backs off. */
  readonly refused: boolean
}

/**
 * Pages past the first that is wholly older than any watch, on a walk that looks for no known page. Nothing there can
 * become an event; they are walked so that most of what people edit later is known by then. Google serves reviews by
 * the hundred thousand: ten pages of it are about 1,500. Apple's sources end by themselves after 500.
 */
const PAST_PAGES_MAX: Record<Store, number> = { apple: 30, google: 10 }
/** Pages in a row that show nothing but what this walk saw already: the store's cursor goes round in circles. */
const STALE_PAGES_MAX = 3

/**
 * Asks for page after page until a whole page is known, or to the store's end: one known review is no sign, because an
 * edited one comes back to the top (store facts E3). A walk after an incomplete one, and a feed's first, go on past
 * known pages until ten pages after the forward-looking time. `untilMs` bounds the walk in time.
 */
export async function walkReviews(
  deps: WalkDeps,
  feed: LeasedFeed,
  untilMs: number,
  pace: Pace,
  signal: AbortSignal,
): Promise<Walk> {
  const { appStore, clock } = deps
  const toTheEnd = feed.walkIncomplete || feed.lastOkAt === null
  const forwardFromMs = (feed.forwardFrom ?? clock.now()).getTime()
  const reviews = new Map<string, Review>()
  const turns = countingTurns(pace)
  const dating = createDating(deps.appStore, feed, forwardFromMs, turns.pace, signal)
  const watch = createSourceWatch(deps, feed)
  const oddRows = createOddRows(await deps.feeds.knownOddRows(feed.id), clock.now())
  const changedSources: Trouble[] = []
  let cursor: string | null = null
  let pages = 0
  let pastPages = 0
  let stalePages = 0
  let partial = false
  let furthest = false
  let source = ''

  const end = (ended: Pick<Walk, 'outcome' | 'incomplete'> & Partial<Walk>): Walk => {
    const incomplete = ended.incomplete || partial || dating.incomplete()
    const fetched = [...reviews.values()]
    return {
      source,
      detail: noteOf(partial, oddRows, changedSources),
      retryAfterMs: 0,
      refused: turns.refused() || signal.aborted,
      ...ended,
      raw: ended.raw ?? changedSources.find((one) => one.raw !== undefined)?.raw ?? null,
      incomplete,
      reviews: fetched,
      oddRows,
      lookedForAll: ended.outcome === 'ok' && !incomplete && (toTheEnd || furthest || oddRows.metAll()),
      sources: watch.remember(fetched),
      changedSources,
      pages,
    }
  }

  while (true) {
    const query: { appId: string; market: string; cursor: string | null } = {
      appId: feed.appId,
      market: feed.market,
      cursor,
    }
    const page: ReviewsPage =
      cursor === null
        ? await watch.firstPage(turns.pace, signal)
        : await appStore.reviewsPage(query, turns.pace, signal)
    pages += 1
    source = page.source
    const passedOver = 'passedOver' in page ? (page.passedOver ?? []) : []
    changedSources.push(...passedOver.filter((one) => one.kind === 'changed'))
    if (isTrouble(page)) return end({ outcome: page.kind, incomplete: pages > 1, ...told(page) })
    if (page.kind === 'empty') {
      // A first page without reviews, however well witnessed, does not read what the walk before left out.
      return pages > 1
        ? end({ outcome: 'ok', incomplete: false })
        : end({ outcome: 'empty', incomplete: feed.walkIncomplete })
    }

    partial ||= page.partial === true
    const oddKnown = oddRows.take(page.reviews, page.odd ?? [])
    const observedAt = clock.now()
    const fresh = page.reviews
      .map((review) => toReview(feed, review, observedAt))
      .filter((review) => !reviews.has(review.fingerprint))
    const prints = fresh.map((review) => review.fingerprint)
    const known = prints.length === 0 ? new Set<string>() : await deps.feeds.known(feed.id, prints)
    for (const review of fresh) {
      const dated = known.has(review.fingerprint) ? review : await dating.date(review)
      if (dated !== null) reviews.set(review.fingerprint, dated)
    }
    const blocked = dating.blocked()
    if (blocked !== null) return end({ outcome: 'blocked', incomplete: true, ...told(blocked) })

    const wholeKnown = fresh.length > 0 && known.size === fresh.length && oddKnown
    const wholeOld =
      page.reviews.length > 0 && page.reviews.every((one) => one.shownAt.getTime() < forwardFromMs)
    stalePages = fresh.length === 0 ? stalePages + 1 : 0
    pastPages = wholeOld ? pastPages + 1 : 0

    if (page.next === null) return end({ outcome: 'ok', incomplete: false })
    if (!toTheEnd && wholeKnown && page.partial !== true) {
      if (!oddRows.lookFurther()) return end({ outcome: 'ok', incomplete: false })
      furthest = true
    }
    if (pastPages > PAST_PAGES_MAX[appStore.store]) return end({ outcome: 'ok', incomplete: false })
    if (stalePages >= STALE_PAGES_MAX || page.next === cursor) {
      return end({ outcome: 'ok', incomplete: true, detail: 'The pages repeat themselves.' })
    }
    if (clock.monotonicMs() >= untilMs) {
      return end({
        outcome: 'ok',
        incomplete: true,
        detail: `There was no time for more than ${pages} pages.`,
      })
    }
    cursor = page.next
  }
}

/** A sentence for the operator on a walk that ended well; null when there is nothing to say. */
function noteOf(partial: boolean, oddRows: OddRows, changedSources: readonly Trouble[]): string | null {
  const odd = oddRows.found().length
  const notes = [
    ...(partial ? ['Reviews may be missing on a page.'] : []),
    ...(odd === 0 ? [] : [`${odd} ${odd === 1 ? 'row' : 'rows'} could not be read.`]),
    ...changedSources.map((one) => `${one.source}: ${one.detail}`),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}

function isTrouble(page: ReviewsPage): page is Trouble {
  return page.kind !== 'ok' && page.kind !== 'empty'
}

function told(trouble: Trouble): Pick<Walk, 'detail' | 'raw' | 'retryAfterMs'> {
  return { detail: trouble.detail, raw: trouble.raw ?? null, retryAfterMs: trouble.retryAfterMs ?? 0 }
}

/** As we keep it, dated by what the store shows. */
function toReview(feed: LeasedFeed, shown: StoreReview, observedAt: Date): Review {
  const { store, appId, market } = feed
  return {
    ...shown,
    store,
    appId,
    market,
    fingerprint: fingerprintOf(store, appId, shown.reviewId),
    contentHash: contentHashOf(shown.title, shown.body),
    occurredAt: shown.shownAt,
    observedAt,
  }
}

/** Tells whether a turn was refused: then the client's answer is about us, not about the store. */
export function countingTurns(pace: Pace): { readonly pace: Pace; readonly refused: () => boolean } {
  let refused = false
  return {
    refused: () => refused,
    pace: async (signal) => {
      const turn = await pace(signal)
      refused ||= !turn
      return turn
    },
  }
}
