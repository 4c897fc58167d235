import type { Engine } from '../worker/wire.ts'
import { createOfflineEngine } from './engine.ts'

/** The offline engine as the enrichment worker loads it. */
export function createEngine(): Engine {
  return createOfflineEngine()
}
