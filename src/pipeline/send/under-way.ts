import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'

export type UnderWay = ReturnType<typeof createUnderWay>

type Attempt = Pick<ClaimedDelivery, 'seq' | 'attempts'>

/**
 * The attempts that this process is making, or whose results it has yet to store. When the machine or the database stalled for longer
 * than a lease, its next claim finds their deliveries due again: they keep their one request. A claim that sees another number of attempts
 * came after the commit of the result: it is of the next attempt, although this process may not know of the commit yet.
 */
export function createUnderWay() {
  const attempts = new Map<number, { readonly attempts: number; readonly leaseEndsAtMs: number }>()
  const has = (one: Attempt) => attempts.get(one.seq)?.attempts === one.attempts
  return {
    /** Returns those of a claim that were not under way. The others keep their request, under a lease that ends later. */
    add(claimed: readonly ClaimedDelivery[], leaseEndsAtMs: number): ClaimedDelivery[] {
      const added = claimed.filter((one) => !has(one))
      for (const one of claimed) attempts.set(one.seq, { attempts: one.attempts, leaseEndsAtMs })
      return added
    },
    /** On the monotonic clock; null when it is not under way. Afterwards another process may claim the delivery. */
    leaseEndsAtMs: (one: Attempt): number | null =>
      has(one) ? (attempts.get(one.seq)?.leaseEndsAtMs ?? null) : null,
    end(deliveries: readonly Attempt[]): void {
      for (const one of deliveries) if (has(one)) attempts.delete(one.seq)
    },
  }
}
