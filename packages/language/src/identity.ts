import type { EnrichmentEngine } from '../../../src/model/enrichment.ts'

/** In a file of its own, so that the main thread can name the engine without loading it. */
export const OFFLINE_ENGINE: EnrichmentEngine = { name: 'offline', version: '9' }
