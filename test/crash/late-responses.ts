import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * The number of timeouts per event in the logs of the nodes. On a busy machine, the receiver may accept a request after
 * its timeout. The retry is then an explained duplicate.
 */
export async function countLateResponses(logFile: string): Promise<Map<string, number>> {
  const late = new Map<string, number>()
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    if (!line.includes('"delivery.attempted"') || !/"reason":"(timeout_|reset)/.test(line)) continue
    const eventId = /"event_id":"([0-9a-f]{64})"/.exec(line)?.[1]
    if (eventId !== undefined) late.set(eventId, (late.get(eventId) ?? 0) + 1)
  }
  return late
}
