import type { Watch } from '../../src/model/hook.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { Violation } from './violation.ts'

/** A hook with its one watch, as whoever made it knows it. */
export type HookEntry = {
  readonly id: string
  readonly accountId: string
  readonly host: number
  readonly source: string
  readonly watch: Watch
  /**
   * Before it nothing may reach the hook while the clock is right: its creation by the true time. Earlier by as much as its node's
   * clock was behind without a jump that told of it: nobody can know that.
   */
  readonly notBeforeMs: number
  /** By the true time. */
  readonly createdAtMs: number
  /** What was published before it need not reach the hook: its creation, or later when a jump of the clock was not to be seen. */
  readonly surelyFromMs: number
  /** How far before `notBeforeMs` it may look while the clock is behind, in total of all jumps. */
  lookBackMs: number
  /** How much of it may remain when the clock is right again: it was not sure that the clock was behind. Null before the next jump. */
  unsureMs: number | null
  /** Secrets that may sign now. */
  secrets: string[]
  state: 'active' | 'paused' | 'gone' | 'deleted'
  /** True time of the last change of state. */
  changedAtMs: number
  /** Whether everything that matches must reach it: no answer to a change of it was lost. */
  obliged: boolean
}

/** A review as the simulated store shows it. */
export type ReviewEntry = {
  readonly store: Store
  readonly appId: string
  readonly market: string
  readonly reviewId: string
  readonly publishedAtMs: number
  /** Since when the store shows it. */
  readonly shownFromMs: number
  shownUntilMs: number | null
  /** Of each version. */
  readonly stars: number[]
  edited: boolean
  /** The date the store shows last. */
  shownAtMs: number
}

/** An event as receivers and storage saw it. */
export type EventEntry = {
  readonly eventId: string
  readonly hookId: string
  readonly body: string
  /** Review id, or the observation of a drop. */
  readonly about: string
  readonly firstRequestAtMs: number
  /** Requests made, arrived or not. */
  requests: number
  /** A receiver accepted it. */
  accepted: boolean
  /** Storage holds it as delivered. */
  settled: boolean
}

/** An aggregate of a listing from when a store shows it. */
export type ShownRating = {
  /** `micros count`. */
  readonly rating: string
  readonly fromMs: number
  /** When a frozen store last repeated an answer that has it. */
  repeatedAtMs: number
}

export type Ledger = {
  readonly hooks: Map<string, HookEntry>
  readonly reviews: Map<string, ReviewEntry>
  readonly events: Map<string, EventEntry>
  /** Event id by hook and what it is about. */
  readonly byOccurrence: Map<string, string>
  /** Aggregates a store showed, by listing, in order. */
  readonly ratings: Map<string, ShownRating[]>
  /** Keys of reviews that end the process which enriches them. */
  readonly deadlyReviews: Set<string>
  /** The first violation ends the run. */
  readonly violate: (invariant: string, detail: string, facts?: unknown) => void
  readonly violation: () => Violation | null
  /** True when the ids were requeued on purpose. */
  readonly requeued: Set<string>
  /**
   * Jumps of the clock that the service committed: how many, and their sum since the clock was last where it began. `gapMs`: how
   * far it went ahead without one.
   */
  readonly clock: { steps: number; aheadMs: number; gapMs: number }
  /** Feed id to the true time at which the last stored poll of it began. */
  readonly polledAtMs: Map<number, number>
  /** Event id to how far its hook might look back when it was fanned out. */
  readonly lookBacks: Map<string, number>
  /** Hook id and `occurred_at` of events fanned out while their hook might look back, sent or not. */
  readonly lookedBack: Set<string>
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
    clock: { steps: 0, aheadMs: 0, gapMs: 0 },
    polledAtMs: new Map(),
    lookBacks: new Map(),
    lookedBack: new Set(),
    violate(invariant, detail, facts) {
      first ??= new Violation(invariant, detail, facts)
    },
    violation: () => first,
  }
}

/** A frozen store answers `request` at `nowMs` with what it showed at `shownAtMs`: its apps have their ratings of then. */
export function showAgain(
  ledger: Ledger,
  store: Store,
  request: string,
  shownAtMs: number,
  nowMs: number,
): void {
  for (const [listing, shown] of ledger.ratings) {
    const [listed, appId = ''] = listing.split(' ')
    if (listed !== store || !request.includes(appId)) continue
    const then = shown.findLast(({ fromMs }) => fromMs <= shownAtMs)
    if (then !== undefined) then.repeatedAtMs = nowMs
  }
}

export function reviewKey(store: Store, appId: string, reviewId: string): string {
  return `${store} ${appId} ${reviewId}`
}

export function listingKey(store: Store, appId: string, storefront: string): string {
  return `${store} ${appId} ${storefront}`
}
