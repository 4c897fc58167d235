import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import type { CreateEngine, Engine } from '../../src/pipeline/enrich/worker/wire.ts'
import { enrichment } from './occurrences.ts'

/** An engine for worker tests. The review's text selects its behaviour; a path is a file to write at the slow end of the thread. */
export const createEngine: CreateEngine = () => engine

const engine: Engine = async ({ body }) => {
  if (body.startsWith('/')) process.once('exit', () => endSlowly(body))
  switch (body) {
    case 'thread':
      return { ...enrichment, summary_en: `thread ${threadId}` }
    case 'throw':
      throw new Error('cannot read this')
    case 'hang':
      // A cubic regular expression: it blocks the thread for minutes.
      return { ...enrichment, summary_en: String(/\S+@\S+\.\S+/.test('@'.repeat(20_000))) }
    case 'exit':
      return process.exit(3)
    case 'eat memory': {
      const eaten: number[][] = []
      for (;;) eaten.push(new Array(100_000).fill(eaten.length))
    }
    case 'wait':
      await setTimeout(20)
  }
  return { ...enrichment, summary_en: body }
}

function endSlowly(path: string): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  writeFileSync(path, '')
}
