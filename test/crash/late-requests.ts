import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** What the logs of the nodes say about requests that took too long, as on a busy machine. */
export type LateRequests = {
  /** The number of timeouts per event. The receiver may accept a request after its timeout, so the retry is an explained duplicate. */
  readonly timeouts: Map<string, number>
  /** Events whose result was stored after the end of the lease, so that another claim may have sent them. */
  readonly settledLate: ReadonlySet<string>
}

export async function readLateRequests(logFile: string): Promise<LateRequests> {
  const timeouts = new Map<string, number>()
  const settledLate = new Set<string>()
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    const eventId = /"event_id":"([0-9a-f]{64})"/.exec(line)?.[1]
    if (eventId === undefined) continue
    if (line.includes('"delivery.settled_late"')) settledLate.add(eventId)
    if (line.includes('"delivery.attempted"') && /"reason":"(timeout_|reset)/.test(line))
      timeouts.set(eventId, (timeouts.get(eventId) ?? 0) + 1)
  }
  return { timeouts, settledLate }
}
