import type { Buckets } from '../../model/days.ts'
import type { AppKey, Hook, Watch } from '../../model/hook.ts'
import type { Work } from '../work.ts'
import type { BucketRow } from './reports/figures.ts'
import type { AppScope } from './reports/scope.ts'

/** Steps of the tables' units of work that each engine does in its own way. */
export type NativeSteps = {
  /** Updates what is polled for the apps to their watches (feeds/coverage.ts of an engine). */
  readonly updatePollSet: (apps: readonly AppKey[]) => Work<void>
  /** Makes the feeds of new watches due. */
  readonly expediteFeeds: (watches: readonly Watch[], now: Date) => Work<void>
  /** Changes of a hook's queue (queue/lanes.ts of an engine). */
  readonly createLane: (hook: Pick<Hook, 'id' | 'accountId' | 'targetUrl'>) => Work<void>
  readonly updateLaneTarget: (hookId: string, targetUrl: string) => Work<void>
  readonly openLane: (hookId: string, now: Date) => Work<void>
  readonly pauseLane: (hookId: string) => Work<void>
  readonly endLane: (hookId: string, state: 'gone' | 'deleted', now: Date) => Work<void>
  /** The reviews of each app in each bucket, together or by app. */
  readonly reviewBuckets: (scopes: readonly AppScope[], buckets: Buckets, now: Date) => Work<BucketRow[]>
  /** The sources with a store connection change back to the public pages. */
  readonly leaveSourcesOf: (connectionId: string, accountId: string, nowMs: number) => Work<void>
}
