import type { OccurrenceStorage } from '../../port/occurrences.ts'
import type { Connection } from '../connect.ts'
import { enrichmentStorage } from './enrichments.ts'
import { fanOut } from './fanout.ts'

export function occurrenceStorage(db: Connection): OccurrenceStorage {
  return {
    ...enrichmentStorage(db),
    fanOut: async (request, decide) => fanOut(db, request, decide),
  }
}
