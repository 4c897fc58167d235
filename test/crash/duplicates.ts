import type { Receipt } from './ledger.ts'

/** A killed node. Instants are in real time. */
export type Kill = {
  readonly atMs: number
  /** When the receiver has read all requests of the node, and no replacement has started. */
  readonly drainedAtMs: number
  /** Events that are not stored as delivered at that time. */
  readonly unsettled: ReadonlySet<string>
}

export type Duplicates = {
  /** Requests repeated after an accepted one. */
  readonly count: number
  /** Duplicates without a kill as cause. */
  readonly unexplained: readonly { readonly eventId: string; readonly sentence: string }[]
  /** Requests whose result a kill lost, so they may be repeated: in flight, or just answered. */
  readonly inFlight: number
  /** The maximum at one kill. */
  readonly inFlightMax: number
  /** The maximum age of an accepted request whose result a kill lost, in milliseconds. */
  readonly lostMsMax: number
}

/**
 * Matches every repeated request with a kill. An accepted request may be repeated only if a kill preceded the commit of
 * its result, and once per kill.
 */
export function findDuplicates(receipts: readonly Receipt[], kills: readonly Kill[]): Duplicates {
  const byEvent = Map.groupBy(receipts, ({ eventId }) => eventId)
  const unexplained: { eventId: string; sentence: string }[] = []
  let count = 0
  let lostMsMax = 0
  const byRecipient = Map.groupBy(receipts, ({ eventId, hook }) => `${eventId} ${hook}`)
  for (const [recipient, requests] of byRecipient) {
    const [eventId = ''] = recipient.split(' ')
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
        const sentence = `${request.hook} ${eventId} was accepted at ${endedAtMs} and was repeated at ${next.startedAtMs}`
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
 * Counts events whose newest request before the kill was accepted or in flight, without a stored result. Results lost
 * by an earlier kill do not count again: their events wait for the end of their lease.
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
