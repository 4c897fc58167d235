import type { WebhookEvent } from '../../contract/webhook.ts'
import type { Io } from '../command.ts'
import type { RemoteService } from '../remote/service.ts'
import type { Forwarded, Forwarder } from './forwarder.ts'
import { type Pull, pullEvents } from './pull.ts'

export type Shown = {
  /** The position after the last event shown; null when nothing was read. */
  readonly cursor: string | null
  readonly events: number
  /** Events that the program of `--forward` rejected. */
  readonly skipped: number
}

/**
 * Pulls events, forwards each one and prints it with `lineOf`. It handles one event at a time and prints an event after
 * it was forwarded or skipped, so that the order is kept and an interruption loses none. Throws `CommandFailed`.
 */
export async function showEvents(
  service: RemoteService,
  io: Pick<Io, 'out' | 'err' | 'drained'>,
  pull: Pull,
  forwarder: Forwarder | null,
  lineOf: (event: WebhookEvent, forwarded: Forwarded | null) => string,
): Promise<Shown> {
  let cursor = pull.after
  let events = 0
  let skipped = 0
  for await (const page of pullEvents(service, io, pull)) {
    let done = 0
    for (const event of page.data) {
      const forwarded = forwarder === null ? null : await forwarder.forward(event, pull.signal)
      if (forwarded?.kind === 'interrupted') break
      if (forwarded?.kind === 'skipped') skipped += 1
      io.out(lineOf(event, forwarded))
      done += 1
    }
    events += done
    if (done < page.data.length) {
      cursor = await cursorAfter(service, pull, cursor ?? '0', done)
      break
    }
    cursor = page.next_cursor
    await io.drained()
  }
  return { cursor, events, skipped }
}

/**
 * Returns the position after the first `count` events of a page by reading only these. If that fails, the next run
 * repeats the page.
 */
async function cursorAfter(
  { client }: RemoteService,
  { filter }: Pull,
  before: string,
  count: number,
): Promise<string> {
  if (count === 0) return before
  return client.listEvents({ ...filter, after: before, limit: String(count) }).then(
    (page) => page.next_cursor,
    () => before,
  )
}

/** The answer of the program as part of a line. */
export function forwardedText(forwarded: Forwarded | null): string {
  if (forwarded === null || forwarded.kind === 'interrupted') return ''
  return forwarded.kind === 'accepted' ? `${forwarded.status}  ` : `SKIPPED (HTTP ${forwarded.status})  `
}

/** The number of events that were not accepted. */
export function skippedText(count: number): string {
  return `${count} ${count === 1 ? 'event was' : 'events were'} skipped: the program did not accept ${count === 1 ? 'it' : 'them'}`
}
