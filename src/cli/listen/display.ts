import type { Io } from '../command.ts'
import type { Received } from '../receiver/receiver.ts'
import { requestJson, requestLine } from './lines.ts'

export type Display = {
  readonly show: (received: Received) => void
  /** Prints other text, to standard error when requests are printed as JSON. */
  readonly say: (text: string) => void
  /** The counts of requests. */
  readonly summary: () => string
  /** Rejects with `CommandFailed` when the reader of the requests stops reading, as `| head` does. */
  readonly unread: Promise<never>
}

export function createDisplay(io: Pick<Io, 'out' | 'err' | 'drained'>, asJson: boolean): Display {
  const count = { events: 0, repeated: 0, rejected: 0 }
  const unread = Promise.withResolvers<never>()
  // It may reject when the command no longer waits for it.
  unread.promise.catch(() => {})
  return {
    show: (received) => {
      if (received.refusal !== null) count.rejected += 1
      else if (received.isRepeat) count.repeated += 1
      else count.events += 1
      io.out(asJson ? requestJson(received) : requestLine(received))
      // A failed write is reported in a later turn of the event loop.
      setImmediate(() => io.drained().catch(unread.reject))
    },
    say: asJson ? io.err : io.out,
    summary: () =>
      `${count.events} event${count.events === 1 ? '' : 's'}, ${count.repeated} repeated, ${count.rejected} rejected.\n`,
    unread: unread.promise,
  }
}
