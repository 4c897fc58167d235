/**
 * Selects the due feeds of a claim, so that no account waits for the backlog of another. Two classes alternate: feeds
 * that were not polled since they became needed (fresh), and all others. So fresh feeds get at most every second place
 * while others are due. Within a class, accounts rotate: the least recently served account is next, with the feed that
 * has been due longest. A feed of several accounts is in the queue of each, and counts for the account that was served
 * with it.
 *
 * With N accounts that have due feeds in a class, the oldest due feed of an account is therefore among the next 2 N
 * places, regardless of the number of other feeds. Pure: both engines store `served` and call this inside the commit of
 * a claim.
 */

/**
 * With at most this many due feeds, their accounts are read from the feeds. With more, each account is checked for a
 * due feed, which costs one read for each account without one. With 10,000 such accounts that took 14 ms on SQLite and
 * 89 ms on PostgreSQL; reading them from 20 due feeds takes 3 and 4 ms.
 */
export const FEW_DUE_MAX = 512

/** An account with due feeds of one class. */
export type AccountQueue = {
  readonly accountId: string
  /** Due longest first, up to the limit of the claim. */
  readonly feedIds: readonly number[]
}

export type DueFeeds = {
  /** The accounts of each class, the least recently served first. */
  readonly fresh: readonly AccountQueue[]
  readonly known: readonly AccountQueue[]
}

export type Pick = { readonly feedId: number; readonly accountId: string; readonly fresh: boolean }

/** At most `limit` feeds in order, each once. `freshFirst`: the first place is for a fresh feed. */
export function fairPicks(due: DueFeeds, freshFirst: boolean, limit: number): Pick[] {
  const picks: Pick[] = []
  const taken = new Set<number>()
  const queues = { fresh: [...due.fresh], known: [...due.known] }
  let fresh = freshFirst
  while (picks.length < limit) {
    const pick = next(fresh) ?? next(!fresh)
    if (pick === null) break
    picks.push(pick)
    fresh = !pick.fresh
  }
  return picks

  function next(ofFresh: boolean): Pick | null {
    const queue = ofFresh ? queues.fresh : queues.known
    for (let account = queue.shift(); account !== undefined; account = queue.shift()) {
      const feedId = account.feedIds.find((id) => !taken.has(id))
      if (feedId === undefined) continue
      taken.add(feedId)
      queue.push(account)
      return { feedId, accountId: account.accountId, fresh: ofFresh }
    }
    return null
  }
}

/** The new `served` of each account, numbered after the highest. */
export function servedAfter(
  picks: readonly Pick[],
  servedMax: number,
): readonly { readonly accountId: string; readonly fresh: boolean; readonly served: number }[] {
  const last = new Map<string, { accountId: string; fresh: boolean; served: number }>()
  for (const [index, { accountId, fresh }] of picks.entries()) {
    last.set(`${fresh} ${accountId}`, { accountId, fresh, served: servedMax + index + 1 })
  }
  return [...last.values()]
}

/** An account and one of its due feeds; `fresh` is 1 or 0. */
export type DueRow = { readonly fresh: number; readonly account_id: string; readonly feed_id: number }

/** Groups rows, which must be in the order of their class and grouped by account. */
export function dueFeedsOf(rows: readonly DueRow[]): DueFeeds {
  return {
    fresh: queuesOf(rows.filter(({ fresh }) => fresh === 1)),
    known: queuesOf(rows.filter(({ fresh }) => fresh === 0)),
  }
}

function queuesOf(rows: readonly DueRow[]): AccountQueue[] {
  return [...Map.groupBy(rows, (row) => row.account_id)].map(([accountId, own]) => ({
    accountId,
    feedIds: own.map((row) => row.feed_id),
  }))
}
