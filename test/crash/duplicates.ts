import type { Receipt } from './ledger.ts'

/** A node that was killed; instants are real ones. */
export type Kill = {
  readonly atMs: number
  /** What it had sent has been read at the receiver by then, and no other node was started in its place. */
  readonly drainedAtMs: number
  /** Events whose deliveries the database did not hold as delivered after that. */
  readonly unsettled: ReadonlySet<string>
}

export type Duplicates = {
  /** Requests made again although the one before was accepted. */
  readonly count: number
  /** Of those, the ones that no kill explains. */
  readonly unexplained: readonly { readonly eventId: string; readonly sentence: string }[]
  /** Requests whose results were lost by a kill, because they were under way or just answered: what it may repeat. */
  readonly inFlight: number
  /** The most of them at one kill. */
  readonly inFlightMax: number
  /** The oldest confirmation that a kill lost, in milliseconds before it. */
  readonly lostMsMax: number
}

/**
 * Holds every repeated request against the kills. A request that was accepted may be repeated only when a kill came
 * before its result was stored, and each kill explains one repetition of it.
 */
export function findDuplicates(receipts: readonly Receipt[], kills: readonly Kill[]): Duplicates {
  const byEvent = Map.groupBy(receipts, ({ eventId }) => eventId)
  const unexplained: { eventId: string; sentence: string }[] = []
  let count = 0
  let lostMsMax = 0
  for (const [eventId, requests] of byEvent) {
    const used = new Set<Kill>()
    for (const [index, request] of requests.entries()) {
      const next = requests[index + 1]
      if (!request.accepted || next === undefined) continue
      count += 1
      const endedAtMs = request.endedAtMs ?? next.startedAtMs
      const kill = kills.find(
        (one) =>
          !used.has(one) &&
          one.unsettled.has(eventId) &&
          one.drainedAtMs >= request.startedAtMs &&
          one.atMs <= next.startedAtMs,
      )
      if (kill === undefined) {
        const sentence = `${request.hook} ${eventId} was accepted at ${endedAtMs} and came again at ${next.startedAtMs}`
        unexplained.push({ eventId, sentence })
        continue
      }
      used.add(kill)
      lostMsMax = Math.max(lostMsMax, kill.atMs - endedAtMs)
    }
  }
  const inFlight = kills.map((kill, at) => lostBy(kill, kills[at - 1]?.drainedAtMs ?? 0, byEvent))
  return {
    count,
    unexplained,
    inFlight: inFlight.reduce((sum, each) => sum + each, 0),
    inFlightMax: Math.max(0, ...inFlight),
    lostMsMax,
  }
}

/**
 * Events whose newest request before the kill was accepted, or not answered yet, and whose result is not stored. What an
 * earlier kill had lost waits for the end of its lease, and is not lost again.
 */
function lostBy(
  { atMs, drainedAtMs, unsettled }: Kill,
  killBeforeMs: number,
  byEvent: ReadonlyMap<string, readonly Receipt[]>,
): number {
  let lost = 0
  for (const eventId of unsettled) {
    const newest = byEvent.get(eventId)?.findLast(({ startedAtMs }) => startedAtMs <= drainedAtMs)
    if (newest === undefined || newest.startedAtMs <= killBeforeMs) continue
    if (newest.accepted || newest.endedAtMs === null || newest.endedAtMs >= atMs) lost += 1
  }
  return lost
}
