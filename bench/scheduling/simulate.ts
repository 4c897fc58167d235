import type { FeedArrivals } from './arrivals.ts'

/** The input of a rule. Times are in hours. */
export type Poll = {
  readonly feed: number
  readonly nowHours: number
  readonly hasNewData: boolean
  /** The dates of the reviews that the store showed last, at most `PAGE_REVIEWS`. */
  readonly shownAtHours: Float64Array
}

/** Returns the hours until the next poll. */
export type Rule = (poll: Poll) => number

export type Result = {
  readonly reviews: number
  readonly requests: number
  readonly meanDelayMinutes: number
  readonly p95DelayMinutes: number
  /** The longest time between two polls of a feed. */
  readonly longestHours: number
}

type Limits = { readonly hours: number; readonly requestsPerDay: number }

const PAGE_REVIEWS = 50

/**
 * Polls feeds by a rule under a store's request limit. A poll takes one request, and a second one when it finds new
 * reviews. Due feeds are polled in the order of their due times. Delays are from the time at which the store shows a review.
 */
export function simulate(
  feeds: readonly FeedArrivals[],
  rule: Rule,
  { hours, requestsPerDay }: Limits,
): Result {
  const perRequestHours = 24 / requestsPerDay
  const heap = new Heap(feeds.length)
  // First polls are not measured: each feed is known at the start, and its first poll by the rule is within an hour.
  const next = new Int32Array(feeds.length)
  const polledAt = new Float64Array(feeds.length)
  feeds.forEach(({ atHours, writtenHours }, feed) => {
    next[feed] = firstAfter(atHours, 0)
    const poll = { feed, nowHours: 0, hasNewData: false, ...pageOf(writtenHours, next[feed] ?? 0) }
    heap.push(rule(poll) * ((feed + 0.5) / feeds.length), feed)
  })
  const delays: number[] = []
  let freeAt = 0
  let requests = 0
  let longestHours = 0
  for (;;) {
    const due = heap.pop()
    if (due === null) break
    const now = Math.max(due.at, freeAt)
    if (now >= hours) break
    const { atHours, writtenHours } = feeds[due.feed] as FeedArrivals
    const first = next[due.feed] ?? 0
    let after = first
    while (after < atHours.length && (atHours[after] ?? 0) <= now) {
      delays.push((now - (atHours[after] ?? 0)) * 60)
      after += 1
    }
    next[due.feed] = after
    const hasNewData = after > first
    const cost = hasNewData ? 2 : 1
    requests += cost
    freeAt = now + cost * perRequestHours
    longestHours = Math.max(longestHours, now - (polledAt[due.feed] ?? 0))
    polledAt[due.feed] = now
    heap.push(
      now + rule({ feed: due.feed, nowHours: now, hasNewData, ...pageOf(writtenHours, after) }),
      due.feed,
    )
  }
  // A review that no poll has found counts with its delay so far.
  feeds.forEach(({ atHours }, feed) => {
    for (let index = next[feed] ?? 0; index < atHours.length && (atHours[index] ?? 0) < hours; index += 1)
      delays.push((hours - (atHours[index] ?? 0)) * 60)
  })
  const sorted = Float64Array.from(delays).sort()
  return {
    reviews: sorted.length,
    requests,
    meanDelayMinutes: sorted.reduce((sum, delay) => sum + delay, 0) / sorted.length,
    p95DelayMinutes: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    longestHours,
  }
}

function pageOf(writtenHours: Float64Array, after: number) {
  const from = Math.max(0, after - PAGE_REVIEWS)
  return { shownAtHours: writtenHours.subarray(from, after) }
}

function firstAfter(sorted: Float64Array, at: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** A binary heap of feeds by due time. */
class Heap {
  readonly #at: Float64Array
  readonly #feed: Int32Array
  #size = 0

  constructor(capacity: number) {
    this.#at = new Float64Array(capacity + 1)
    this.#feed = new Int32Array(capacity + 1)
  }

  push(at: number, feed: number): void {
    let index = this.#size
    this.#size += 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((this.#at[parent] ?? 0) <= at) break
      this.#set(index, this.#at[parent] ?? 0, this.#feed[parent] ?? 0)
      index = parent
    }
    this.#set(index, at, feed)
  }

  pop(): { readonly at: number; readonly feed: number } | null {
    if (this.#size === 0) return null
    const top = { at: this.#at[0] ?? 0, feed: this.#feed[0] ?? 0 }
    this.#size -= 1
    const at = this.#at[this.#size] ?? 0
    const feed = this.#feed[this.#size] ?? 0
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && (this.#at[child + 1] ?? 0) < (this.#at[child] ?? 0)) child += 1
      if ((this.#at[child] ?? 0) >= at) break
      this.#set(index, this.#at[child] ?? 0, this.#feed[child] ?? 0)
      index = child
    }
    this.#set(index, at, feed)
    return top
  }

  #set(index: number, at: number, feed: number): void {
    this.#at[index] = at
    this.#feed[index] = feed
  }
}
