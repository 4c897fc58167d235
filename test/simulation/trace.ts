import { createHash } from 'node:crypto'

/** The events of a run: a hash of all of them and the text of the last ones. */
export type Trace = {
  readonly note: (line: string) => void
  readonly hash: () => string
  readonly tail: () => readonly string[]
}

const TAIL_LINES = 120

/** `print`, if not null, is called with each line. */
export function createTrace(nowMs: () => number, print: ((line: string) => void) | null): Trace {
  const hash = createHash('sha256')
  const startMs = nowMs()
  let lines: string[] = []
  return {
    note(text) {
      const line = `${((nowMs() - startMs) / 1000).toFixed(4)} ${text}`
      hash.update(line)
      lines.push(line)
      if (lines.length > TAIL_LINES * 2) lines = lines.slice(-TAIL_LINES)
      print?.(line)
    },
    hash: () => hash.copy().digest('hex').slice(0, 16),
    tail: () => lines.slice(-TAIL_LINES),
  }
}
