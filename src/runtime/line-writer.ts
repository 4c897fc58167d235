/** Where lines go at last; writes what it is given before it returns. */
export type Sink = { readonly write: (text: string) => void }

export type LineWriter = Sink & {
  /** Writes the buffered lines. */
  readonly flush: () => void
}

/** Chosen: 64 KiB, so that a turn that logs without end does not hold it all. */
const WAITING_CHARS_MAX = 65_536

/**
 * Writes the lines of one turn of the event loop together: under load a line each is a call of the operating system for
 * every request (6 of 10 microseconds of a line). A killed process has logged all but its last turn.
 */
export function createLineWriter(sink: Sink): LineWriter {
  let waiting = ''
  let scheduled = false
  const flush = () => {
    const text = waiting
    waiting = ''
    if (text !== '') sink.write(text)
  }
  return {
    write(line) {
      waiting += line
      if (waiting.length >= WAITING_CHARS_MAX) return flush()
      if (scheduled) return
      scheduled = true
      setImmediate(() => {
        scheduled = false
        flush()
      })
    },
    flush,
  }
}
