import { createLanguageEngine, type LanguageEngine } from './engine.ts'

/** The engine as the enrichment worker of the service loads it. */
export function createEngine(): Promise<LanguageEngine> {
  return createLanguageEngine()
}
