import { EVENT_IDS_MAX } from '../../model/input-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { DeadFilter, DeadLetterStorage } from '../../storage/port/dead-letters.ts'
import type { DeliveryStorage, DeliveryView, Page } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { requireAccount } from '../accounts/require-account.ts'
import { OperationError } from '../error.ts'
import { accountPages, nextBySeq } from '../pages.ts'
import { replayOperations } from './replays.ts'

export type { DeadFilter }

export type DeadLetterDeps = {
  readonly accounts: Pick<AccountStorage, 'get' | 'isActive' | 'list'>
  readonly deadLetters: DeadLetterStorage
  readonly deliveries: Pick<DeliveryStorage, 'get'>
  readonly hooks: Pick<HookStorage, 'get' | 'listAll'>
  readonly clock: Clock
  /** Time from a replay until the delivery expires. */
  readonly expireAfterMs: number
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

export type DeadLetterCount = {
  readonly count: number
  readonly byReason: readonly { readonly reason: string; readonly count: number }[]
}

const PAGE_ROWS = 500
const EVENT_ID = /^[0-9a-f]{64}$/

/** `accountId` null means all accounts, which only the operator's commands may use. */
export function deadLetterOperations(deps: DeadLetterDeps) {
  const { accounts, deadLetters, hooks, clock } = deps

  const matching = (accountId: string | null, filter: DeadFilter) =>
    accountPages(
      accounts,
      accountId,
      (before: number | null) => deadLetters.list(accountId, filter, { limit: PAGE_ROWS, before }),
      (letters) => nextBySeq(letters, PAGE_ROWS),
    )

  const requireScope = async (accountId: string | null, { hookId }: DeadFilter) => {
    if (accountId !== null) await requireAccount(accounts, accountId)
    if (hookId === undefined || (await deadLetters.count(accountId, { hookId })) > 0) return
    const exists =
      accountId === null
        ? (await hooks.listAll()).some(({ id }) => id === hookId)
        : (await hooks.get(accountId, hookId)) !== null
    if (exists) return
    const who = accountId === null ? 'There is' : 'The account has'
    throw new OperationError(
      'not_found',
      `${who} no hook ${hookId} and no dead letters of a deleted hook with this id.`,
    )
  }

  return {
    /** Newest first. */
    list: (accountId: string | null, filter: DeadFilter, page: Page): Promise<DeliveryView[]> =>
      deadLetters.list(accountId, filter, page),

    /** Null when the account has no dead letter with this event id. */
    async find(accountId: string, eventId: string): Promise<DeliveryView | null> {
      const delivery = await deps.deliveries.get(accountId, eventId)
      const isDeadLetter = delivery?.status === 'dead' && delivery.resolvedAt === null
      return isDeadLetter ? delivery : null
    },

    async count(accountId: string | null, filter: DeadFilter): Promise<DeadLetterCount> {
      const byReason = await deadLetters.countByReason(accountId, filter)
      return { count: byReason.reduce((sum, { count }) => sum + count, 0), byReason }
    },

    /** All matching dead letters, newest first, in pages. */
    pages: matching,

    /**
     * Puts these dead letters back on the queue, due at once. `skipped` counts ids that are not dead letters of the account, and dead
     * letters whose hook is gone or deleted.
     */
    async replay(
      accountId: string | null,
      eventIds: readonly string[],
    ): Promise<{ readonly replayed: number; readonly skipped: number }> {
      const ids = selectionOf(eventIds)
      const replayed = await deadLetters.replay(accountId, ids, clock.now(), deps.expireAfterMs)
      if (replayed > 0) deps.wake()
      return { replayed, skipped: ids.length - replayed }
    },

    /** Resolves these dead letters without sending them. `skipped` counts ids that are not dead letters of the account. */
    async discard(
      accountId: string | null,
      eventIds: readonly string[],
    ): Promise<{ readonly discarded: number; readonly skipped: number }> {
      const ids = selectionOf(eventIds)
      const discarded = await deadLetters.discard(accountId, ids, clock.now())
      return { discarded, skipped: ids.length - discarded }
    },

    /** Resolves all matching dead letters and returns their number. */
    async discardMatching(accountId: string | null, filter: DeadFilter): Promise<number> {
      await requireScope(accountId, filter)
      let discarded = 0
      for await (const page of matching(accountId, filter)) {
        const ids = page.map(({ eventId }) => eventId)
        discarded += await deadLetters.discard(accountId, ids, clock.now())
      }
      return discarded
    },

    /**
     * Throws `not_found` for an account or a hook that does not exist, so that a misspelt id does not look like one without dead letters. A
     * deleted hook counts as existing while it has dead letters.
     */
    requireScope,
    replays: replayOperations({ ...deps, requireScope }),
  }
}

/** Removes duplicate ids. Throws `invalid` for no ids, too many, or a text that is not an event id. */
function selectionOf(eventIds: readonly string[]): string[] {
  const ids = [...new Set(eventIds)]
  const field = 'eventIds'
  if (ids.length === 0 || ids.length > EVENT_IDS_MAX) {
    const problem = `must be 1 to ${EVENT_IDS_MAX} event ids; select more by a filter.`
    throw new OperationError('invalid', problem, { field })
  }
  if (!ids.every((id) => EVENT_ID.test(id))) {
    throw new OperationError('invalid', 'must be event ids: 64 lowercase hexadecimal digits each.', { field })
  }
  return ids
}
