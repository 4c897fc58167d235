import type { Watch } from '../../src/model/hook.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { Violation } from './violation.ts'

/** A hook with its only watch. */
export type HookEntry = {
  readonly id: string
  readonly accountId: string
  readonly host: number
  readonly source: string
  readonly watch: Watch
  /**
   * Events from before it must not reach the hook while the clock is right: its creation by the true time, less the time by which its
   * node's clock was behind without a jump. The service cannot detect that difference.
   */
  readonly notBeforeMs: number
  /** True time. */
  readonly createdAtMs: number
  /** Reviews from before it need not reach the hook: its creation, or later when a jump of the clock could not be detected. */
  readonly guaranteedFromMs: number
  /** How far before `notBeforeMs` events may be while the clock is behind by the sum of all jumps. */
  lookBackMs: number
  /**
   * The part of `lookBackMs` that may remain when the clock is right again, because it was uncertain that it was behind. Null before the
   * next jump.
   */
  uncertainMs: number | null
  /** The secrets that are valid for signatures now. */
  secrets: string[]
  state: 'active' | 'paused' | 'gone' | 'deleted'
  /** The true time of the last change of `state`. */
  changedAtMs: number
  /** Whether every matching event must reach the hook. False after an answer to a change of it was lost. */
  mustReceiveAll: boolean
}

/** A review as the simulated store shows it. */
export type ReviewEntry = {
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly reviewId: string
  readonly publishedAtMs: number
  /** When the store first showed it. */
  readonly shownFromMs: number
  shownUntilMs: number | null
  /** The stars of each version. */
  readonly stars: number[]
  edited: boolean
  /** Author-less reviews with the same text and stars are the same for links by content. Null with a name. */
  readonly namelessText: string | null
  /** The date that the store shows. */
  shownAtMs: number
}

/** The state of an event at receivers and in storage. */
export type EventEntry = {
  readonly eventId: string
  readonly hookId: string
  readonly body: string
  /** Review id, or the observation of a drop. */
  readonly about: string
  readonly firstRequestAtMs: number
  /** Requests sent, whether or not they arrived. */
  requests: number
  /** Whether a receiver accepted it. */
  accepted: boolean
  /** Whether storage has it as delivered. */
  settled: boolean
}

/** A request of a person for an answer to a review. */
export type AnswerRequest = {
  readonly accountId: string
  readonly fingerprint: string
  /** Unique; null for a deletion. */
  readonly text: string | null
  /** Whether the store still shows the review. */
  readonly isShown: () => boolean
  readonly atMs: number
  /** Null while it runs, and after its process died. */
  endedAtMs: number | null
  /** `unknown`: storage failed or the process died, so it may be stored. */
  outcome: 'stored' | 'refused' | 'unknown'
}

/** An aggregate rating of a listing and when a store started to show it. */
export type ShownRating = {
  /** `micros count`. */
  readonly rating: string
  readonly fromMs: number
  /** When a frozen store last repeated an answer with it. */
  repeatedAtMs: number
}

/** Reviews that an account's request listed. */
export type Listing = {
  readonly accountId: string
  readonly appId: string
  readonly atMs: number
  readonly reviewIds: readonly string[]
}

export type OfficialPoll = {
  /** The true time at which it began. */
  readonly atMs: number
  readonly listed: ReadonlySet<string>
}

export type Ledger = {
  readonly hooks: Map<string, HookEntry>
  readonly reviews: Map<string, ReviewEntry>
  readonly events: Map<string, EventEntry>
  /** Event id by hook and subject of the event. */
  readonly byOccurrence: Map<string, string>
  /** Aggregates that a store showed, by listing, in order. */
  readonly ratings: Map<string, ShownRating[]>
  /** Keys of reviews that kill the process that enriches them. */
  readonly deadlyReviews: Set<string>
  /** The first violation ends the run. */
  readonly violate: (invariant: string, detail: string, facts?: unknown) => void
  readonly violation: () => Violation | null
  /** Ids of events that a customer replayed. */
  readonly requeued: Set<string>
  /**
   * Jumps of the clock that the service committed: their number, and their sum since the clock was last right. `gapMs`: how far the clock
   * went ahead without a jump. `aheadOfTrueMs`: how far stored times are ahead of the true time.
   */
  readonly clock: { steps: number; aheadMs: number; gapMs: number; aheadOfTrueMs: number }
  /** By how much a receiver lengthened the last wait of each delivery, by its `seq`. */
  readonly lengthenedMs: Map<number, number>
  /** Feed id to the true start time of its last stored poll. */
  readonly polledAtMs: Map<number, number>
  /** Event id to the `lookBackMs` of its hook at fan-out. */
  readonly lookBacks: Map<string, number>
  /** The public id of each review, by `officialKey`. */
  readonly publicIds: Map<string, string>
  /** Accounts and apps, by `sourceKey`, that changed to an official source at least once. */
  readonly connected: Set<string>
  /** Sources compare dates of reviews with times of polls, so a clock that is days off changes what is linked by content. */
  clockWasDaysWrong: boolean
  /** Source id to the true start time of its last good poll. */
  readonly sourcePolledAtMs: Map<number, number>
  /** Lists of Google's official API that arrived, in order. Empty in plans without an outage. */
  readonly listings: Listing[]
  /** The good polls of official sources, by `sourceKey`, with the public ids of the reviews in their answers. */
  readonly officialPolls: Map<string, OfficialPoll[]>
  /** Pairs of hook and review that an outage of more than seven days lost. */
  lostByOutage: number
  readonly answers: AnswerRequest[]
  /** How often each answer was written in a store. */
  readonly publications: Map<string, number>
  /** Answers that another tool wrote, with the time. */
  readonly writtenElsewhereMs: Map<string, number>
  /** Hook id and `occurred_at` of events fanned out while `lookBackMs` of their hook was above 0. */
  readonly sentWhileLookingBack: Set<string>
}

export function createLedger(): Ledger {
  let first: Violation | null = null
  return {
    hooks: new Map(),
    reviews: new Map(),
    events: new Map(),
    byOccurrence: new Map(),
    ratings: new Map(),
    deadlyReviews: new Set(),
    requeued: new Set(),
    clock: { steps: 0, aheadMs: 0, gapMs: 0, aheadOfTrueMs: 0 },
    lengthenedMs: new Map(),
    polledAtMs: new Map(),
    lookBacks: new Map(),
    sentWhileLookingBack: new Set(),
    publicIds: new Map(),
    connected: new Set(),
    clockWasDaysWrong: false,
    sourcePolledAtMs: new Map(),
    listings: [],
    officialPolls: new Map(),
    lostByOutage: 0,
    answers: [],
    publications: new Map(),
    writtenElsewhereMs: new Map(),
    violate(invariant, detail, facts) {
      first ??= new Violation(invariant, detail, facts)
    },
    violation: () => first,
  }
}

/** Records that a frozen store repeated at `nowMs` its answer to `request` from `shownAtMs`, with the ratings of that time. */
export function recordRepeatedAnswer(
  ledger: Ledger,
  store: Store,
  request: string,
  shownAtMs: number,
  nowMs: number,
): void {
  for (const [listing, shown] of ledger.ratings) {
    const [listed, appId = ''] = listing.split(' ')
    if (listed !== store || !request.includes(appId)) continue
    const rating = shown.findLast(({ fromMs }) => fromMs <= shownAtMs)
    if (rating !== undefined) rating.repeatedAtMs = nowMs
  }
}

export function reviewKey(store: Store, appId: string, reviewId: string): string {
  return `${store} ${appId} ${reviewId}`
}

export function officialKey(store: Store, appId: string, officialId: string): string {
  return `${store} ${appId} ${officialId}`
}

/** The id that the public pages show for a review id of an event: of any source. */
export function publicIdOf(ledger: Ledger, store: Store, appId: string, reviewId: string): string {
  return ledger.publicIds.get(officialKey(store, appId, reviewId)) ?? reviewId
}

export function sourceKey(accountId: string, store: Store, appId: string): string {
  return `${accountId} ${store} ${appId}`
}

export function listingKey(store: Store, appId: string, storefront: string): string {
  return `${store} ${appId} ${storefront}`
}
