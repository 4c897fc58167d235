import type { Receipt } from './ledger.ts'

/** A killed node; instants are in real time. */
export type Kill = {
  readonly atMs: number
  /** By then the receiver has read its requests, and no replacement has started. */
  readonly drainedAtMs: number
  /** Events not stored as delivered after that. */
  readonly unsettled: ReadonlySet<string>
}

export type Duplicates = {
  /** Requests repeated although the previous one was accepted. */
  readonly count: number
  /** Repeated requests that no kill explains. */
  readonly unexplained: readonly { readonly eventId: string; readonly sentence: string }[]
  /** Requests with results lost by a kill, which may be repeated: they were under way or just answered. */
  readonly inFlight: number
  /** The maximum at one kill. */
  readonly inFlightMax: number
  /** The age of the oldest accepted request that a kill lost, in milliseconds. */
  readonly lostMsMax: number
}

/**
 * Checks every repeated request against the kills. An accepted request may be repeated only if a kill preceded the
 * commit of its result; each kill explains one repetition.
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
 * Events whose newest request before the kill was accepted, or not answered yet, and whose result is not stored.
 * Results lost by an earlier kill wait for the end of their lease and are not lost again.
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
