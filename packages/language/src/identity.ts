import type { EnrichmentEngine } from '../../../src/model/enrichment.ts'

/** Apart from the engine, so that the main thread can name it without loading it. */
export const OFFLINE_ENGINE: EnrichmentEngine = { name: 'offline', version: '2' }
