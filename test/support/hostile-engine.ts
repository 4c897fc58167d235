import { setTimeout } from 'node:timers/promises'
import type { CreateEngine, Engine } from '../../src/pipeline/enrich/worker/wire.ts'
import { enrichment } from './occurrences.ts'

/** An engine whose reviews do what their text names: for tests of the worker that holds one. */
export const createEngine: CreateEngine = () => engine

const engine: Engine = async ({ body }) => {
  switch (body) {
    case 'throw':
      throw new Error('cannot read this')
    case 'hang':
      // A cubic expression, as they happen: it holds the thread for minutes.
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
