import type { Attempt } from '../model/delivery.ts'
import { feedKindOf } from '../model/market.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DeadLetterStorage } from '../storage/port/dead-letters.ts'
import type {
  DeliveryFilter,
  DeliveryStorage,
  DeliveryView,
  OldestFirstPage,
  Page,
} from '../storage/port/deliveries.ts'
import type { HookStorage } from '../storage/port/hooks.ts'
import { OperationError } from './error.ts'

export type { DeliveryView }

export type DeliveryDeps = {
  readonly deliveries: Pick<DeliveryStorage, 'list' | 'get' | 'attempts' | 'sendAgain' | 'markets'>
  readonly deadLetters: Pick<DeadLetterStorage, 'replay'>
  readonly hooks: Pick<HookStorage, 'list'>
  readonly clock: Clock
  /** Time from a resend until the delivery expires. */
  readonly expireAfterMs: number
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

/** `held`: pending deliveries of a paused hook. */
export type DeliveryListFilter = Omit<DeliveryFilter, 'status'> & {
  readonly status?: DeliveryView['status'] | 'held' | undefined
}

export function deliveryOperations(deps: DeliveryDeps) {
  const { deliveries, deadLetters, clock, expireAfterMs } = deps

  const require = async (accountId: string, eventId: string): Promise<DeliveryView> => {
    const delivery = await deliveries.get(accountId, eventId)
    if (delivery !== null) return delivery
    throw new OperationError('not_found', 'The account has no delivery with this event id.')
  }

  return {
    /** Newest first, or oldest first with `after`. */
    list: (
      accountId: string,
      { status, ...filter }: DeliveryListFilter,
      page: Page | OldestFirstPage,
    ): Promise<DeliveryView[]> => {
      if (status === 'held') return listHeld(accountId, filter, page, deps)
      return deliveries.list(accountId, { ...filter, status }, page)
    },

    /** The storefronts of the rating drops in `views`, by occurrence id. */
    async storefronts(views: readonly DeliveryView[]): Promise<ReadonlyMap<string, string>> {
      const ids = views
        .filter(({ eventType }) => feedKindOf(eventType) === 'rating')
        .map(({ occurrenceId }) => occurrenceId)
      return ids.length === 0 ? new Map() : deliveries.markets(ids)
    },

    /** Null when the account has no such delivery. */
    find: (accountId: string, eventId: string): Promise<DeliveryView | null> =>
      deliveries.get(accountId, eventId),

    /** A delivery with its attempts, oldest first. Throws `not_found`. */
    async get(
      accountId: string,
      eventId: string,
    ): Promise<{ readonly delivery: DeliveryView; readonly attempts: readonly Attempt[] }> {
      const delivery = await require(accountId, eventId)
      return { delivery, attempts: await deliveries.attempts(accountId, eventId) }
    },

    /**
     * Sends a delivered event or a dead letter again, due at once, with the same event id and bytes. Throws `not_found`, and `conflict`
     * when the delivery is pending or discarded, or its hook is gone or deleted.
     */
    async resend(accountId: string, eventId: string): Promise<void> {
      const delivery = await require(accountId, eventId)
      const now = clock.now()
      const queued =
        delivery.status === 'dead'
          ? (await deadLetters.replay(accountId, [eventId], now, expireAfterMs)) > 0
          : await deliveries.sendAgain(accountId, eventId, now, expireAfterMs)
      if (!queued) throw new OperationError('conflict', unsendableReason(delivery))
      deps.wake()
    },
  }
}

/** Why storage did not put the delivery back on the queue. */
function unsendableReason({ status, hookStatus }: DeliveryView): string {
  if (hookStatus === 'deleted') return 'Its destination was deleted.'
  if (hookStatus === 'gone') return 'Its destination was turned off by its platform.'
  return status === 'pending' ? 'It is already being sent.' : 'It was discarded or already sent again.'
}

/** Up to as many paused hooks are read one by one, each from its index. */
const HOOKS_READ_ONE_BY_ONE = 20

/** Pending deliveries of the paused hooks, in the order of the page. */
async function listHeld(
  accountId: string,
  filter: DeliveryFilter,
  page: Page | OldestFirstPage,
  { deliveries, hooks }: Pick<DeliveryDeps, 'deliveries' | 'hooks'>,
): Promise<DeliveryView[]> {
  const paused = (await hooks.list(accountId)).filter(
    ({ id, status }) => status === 'paused' && (filter.hookId ?? id) === id,
  )
  if (paused.length > HOOKS_READ_ONE_BY_ONE)
    return deliveries.list(accountId, { ...filter, status: 'pending', ofPausedHooks: true }, page)
  const lists = await Promise.all(
    paused.map(({ id }) => deliveries.list(accountId, { ...filter, status: 'pending', hookId: id }, page)),
  )
  return lists
    .flat()
    .sort((a, b) => ('after' in page ? a.seq - b.seq : b.seq - a.seq))
    .slice(0, page.limit)
}
