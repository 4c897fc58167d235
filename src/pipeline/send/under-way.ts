import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'

export type UnderWay = ReturnType<typeof createUnderWay>

/**
 * The deliveries that this process is sending, or whose results it has yet to store. When the machine or the database stalled for longer
 * than a lease, its next claim finds them due again: they keep their one request.
 */
export function createUnderWay() {
  const endsAtMs = new Map<number, number>()
  return {
    /** Returns those of a claim that were not under way. The others keep their request, under a lease that ends later. */
    add(claimed: readonly ClaimedDelivery[], leaseEndsAtMs: number): ClaimedDelivery[] {
      const added = claimed.filter(({ seq }) => !endsAtMs.has(seq))
      for (const { seq } of claimed) endsAtMs.set(seq, leaseEndsAtMs)
      return added
    },
    /** On the monotonic clock; null when it is not under way. Afterwards another process may claim the delivery. */
    leaseEndsAtMs: ({ seq }: ClaimedDelivery): number | null => endsAtMs.get(seq) ?? null,
    end(deliveries: readonly ClaimedDelivery[]): void {
      for (const { seq } of deliveries) endsAtMs.delete(seq)
    },
  }
}
