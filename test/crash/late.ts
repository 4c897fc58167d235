import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * How often the nodes, by their own log, gave up waiting for the answer about each event: the receiver shares a machine
 * with them and may accept what nobody waits for any more. An ordinary failure, and its retry no duplicate of ours.
 */
export async function answersTooLate(logFile: string): Promise<Map<string, number>> {
  const late = new Map<string, number>()
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    if (!line.includes('"delivery.attempted"') || !/"reason":"(timeout_|reset)/.test(line)) continue
    const eventId = /"event_id":"([0-9a-f]{64})"/.exec(line)?.[1]
    if (eventId !== undefined) late.set(eventId, (late.get(eventId) ?? 0) + 1)
  }
  return late
}
