import { STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FeedStorage, PaceStorage } from '../storage/port/feeds.ts'
import type { MaintenanceStorage } from '../storage/port/maintenance.ts'
import { OperationError } from './error.ts'

export type SystemDeps = {
  readonly feeds: Pick<FeedStorage, 'appNames' | 'list' | 'counts' | 'rawAnswer' | 'unusual' | 'quarantined'>
  readonly pace: Pick<PaceStorage, 'get'>
  readonly maintenance: Pick<MaintenanceStorage, 'nodes' | 'depths' | 'sizeBytes'>
  readonly clock: Clock
}

const FEEDS_SHOWN = 500
const ROWS_SHOWN = 100
const ROWS_DOWNLOADED = 1_000

/** The state of the installation, for its operator. */
export function systemOperations({ feeds, pace, maintenance, clock }: SystemDeps) {
  return {
    async state() {
      const now = clock.now()
      const [nodes, depths, storageBytes, counts, list, unusual, quarantined, stores] = await Promise.all([
        maintenance.nodes(),
        maintenance.depths(now),
        maintenance.sizeBytes(),
        feeds.counts(),
        feeds.list({ failingOnly: false, limit: FEEDS_SHOWN }),
        feeds.unusual({ limit: FEEDS_SHOWN }),
        feeds.quarantined({ limit: ROWS_SHOWN }),
        Promise.all(STORES.map(async (store) => ({ store, pace: await pace.get(store) }))),
      ])
      const names = await feeds.appNames([...list, ...unusual, ...quarantined])
      return { now, nodes, depths, storageBytes, counts, feeds: list, unusual, quarantined, stores, names }
    },

    /** Rows of store pages that could not be parsed, last seen first. */
    quarantined: () => feeds.quarantined({ limit: ROWS_DOWNLOADED }),

    /** The last answer of a store that could not be parsed. Throws `not_found`. */
    async rawAnswer(feedId: number): Promise<string> {
      const raw = await feeds.rawAnswer(feedId)
      if (raw !== null) return raw
      throw new OperationError('not_found', 'No raw answer of this feed is stored.')
    },
  }
}
