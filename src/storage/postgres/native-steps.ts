import { SOURCE_COLUMNS, type SourceRow } from '../sources/source-rows.ts'
import type { NativeSteps } from '../tables/native-steps.ts'
import { native, type Work } from '../work.ts'
import type { Transaction } from './connect.ts'
import { expediteFeeds, lockFeedsOf, updatePollSet } from './feeds/coverage.ts'
import { leaveSource } from './feeds/review-sources.ts'
import { createLane, endLane, openLane, pauseLane, updateLaneTarget } from './queue/lanes.ts'
import { reviewBuckets } from './reports/app-figures.ts'

const step = <T>(act: (tx: Transaction) => Promise<T>): Work<T> => native(act)

export const postgresSteps: NativeSteps = {
  updatePollSet: (apps) => step((tx) => updatePollSet(tx, apps)),
  expediteFeeds: (watches, now) => step((tx) => expediteFeeds(tx, watches, now)),
  createLane: (hook) => step((tx) => createLane(tx, hook)),
  updateLaneTarget: (hookId, targetUrl) => step((tx) => updateLaneTarget(tx, hookId, targetUrl)),
  openLane: (hookId, now) => step((tx) => openLane(tx, hookId, now)),
  pauseLane: (hookId) => step((tx) => pauseLane(tx, hookId)),
  endLane: (hookId, state, now) => step((tx) => endLane(tx, hookId, state, now)),
  reviewBuckets: (scopes, buckets, now) => step((tx) => reviewBuckets(tx, scopes, buckets, now)),
  leaveSourcesOf: (connectionId, accountId, nowMs) =>
    step(async (tx) => {
      const sourcesOf = (lock: string) =>
        tx.all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s where s.connection_id = $1 and s.account_id = $2
           order by s.id ${lock}`,
          connectionId,
          accountId,
        )
      await lockFeedsOf(
        tx,
        (await sourcesOf('')).map((row) => ({ store: row.store, appId: row.app_id })),
      )
      for (const source of await sourcesOf('for update')) await leaveSource(tx, source, nowMs)
    }),
}
