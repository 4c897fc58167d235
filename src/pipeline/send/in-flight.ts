import type { ClaimedDelivery } from '../../storage/port/deliveries.ts'

export type InFlight = ReturnType<typeof createInFlight>

type Attempt = Pick<ClaimedDelivery, 'seq' | 'attempts'>

/**
 * The attempts that this process is making, or whose results it has yet to store. When the machine or the database stalled for longer
 * than a lease, its next claim finds their deliveries due again: they keep their one request. A claim that sees another number of attempts
 * came after the commit of the result: it is of the next attempt, although this process may not know of the commit yet. "Send again" begins
 * to count from 0: if the number is the same by chance, the delivery waits for the end of its lease.
 */
export function createInFlight() {
  const attempts = new Map<number, { readonly attempts: number; readonly leaseEndsAtMs: number }>()
  const has = (one: Attempt) => attempts.get(one.seq)?.attempts === one.attempts
  return {
    /** The numbers of attempts by `seq`. Read it before a claim: a result may be stored between the claim's commit and its answer. */
    snapshot: (): ReadonlyMap<number, number> =>
      new Map([...attempts].map(([seq, one]) => [seq, one.attempts])),
    /**
     * Returns those of a claim that were not in flight before it. Those that still are keep their request, under a lease that ends later.
     * Those that ended meanwhile were stored, or wait for the end of the lease.
     */
    add(
      claimed: readonly ClaimedDelivery[],
      leaseEndsAtMs: number,
      before: ReadonlyMap<number, number>,
    ): ClaimedDelivery[] {
      const kept = claimed.filter(has)
      const added = claimed.filter((one) => !has(one) && before.get(one.seq) !== one.attempts)
      for (const one of [...kept, ...added]) attempts.set(one.seq, { attempts: one.attempts, leaseEndsAtMs })
      return added
    },
    /** On the monotonic clock; null when it is not in flight. Afterwards another process may claim the delivery. */
    leaseEndsAtMs: (one: Attempt): number | null =>
      has(one) ? (attempts.get(one.seq)?.leaseEndsAtMs ?? null) : null,
    end(deliveries: readonly Attempt[]): void {
      for (const one of deliveries) if (has(one)) attempts.delete(one.seq)
    },
  }
}
