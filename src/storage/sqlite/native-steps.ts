import { SOURCE_COLUMNS, type SourceRow } from '../sources/source-rows.ts'
import type { NativeSteps } from '../tables/native-steps.ts'
import { native, type Work } from '../work.ts'
import type { Connection } from './connect.ts'
import { expediteFeeds, updatePollSet } from './feeds/coverage.ts'
import { leaveSource } from './feeds/review-sources.ts'
import { createLane, endLane, openLane, pauseLane, updateLaneTarget } from './queue/lanes.ts'
import { reviewBuckets } from './reports/app-figures.ts'

const step = <T>(act: (db: Connection) => T): Work<T> => native(act)

export const sqliteSteps: NativeSteps = {
  updatePollSet: (apps) =>
    step((db) => {
      for (const app of apps) updatePollSet(db, app)
    }),
  expediteFeeds: (watches, now) =>
    step((db) => {
      for (const watch of watches) expediteFeeds(db, watch, now)
    }),
  createLane: (hook) => step((db) => createLane(db, hook)),
  updateLaneTarget: (hookId, targetUrl) => step((db) => updateLaneTarget(db, hookId, targetUrl)),
  openLane: (hookId, now) => step((db) => openLane(db, hookId, now)),
  pauseLane: (hookId) => step((db) => pauseLane(db, hookId)),
  endLane: (hookId, state, now) => step((db) => endLane(db, hookId, state, now)),
  reviewBuckets: (scopes, buckets, now) => step((db) => reviewBuckets(db, scopes, buckets, now)),
  leaveSourcesOf: (connectionId, accountId, nowMs) =>
    step((db) => {
      const sources = db.all<SourceRow>(
        `select ${SOURCE_COLUMNS} from review_sources s where s.connection_id = ? and s.account_id = ?`,
        connectionId,
        accountId,
      )
      for (const source of sources) leaveSource(db, source, nowMs)
    }),
}
