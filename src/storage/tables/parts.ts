import type { DeliveryStorage } from '../port/deliveries.ts'
import type { FeedStorage } from '../port/feeds.ts'
import type { MaintenanceStorage } from '../port/maintenance.ts'
import type { OccurrenceStorage } from '../port/occurrences.ts'
import type { ReportStorage } from '../port/reports.ts'
import type { StatisticsStorage } from '../port/statistics.ts'
import type { Storage } from '../port/storage.ts'
import type { Db } from '../work.ts'
import { erasureStorage } from './feeds/erasures.ts'
import { feedStorage } from './feeds/feeds.ts'
import { paceStorage } from './feeds/pace.ts'
import { reviewHistoryStorage } from './feeds/review-histories.ts'
import { reviewSourceStorage } from './feeds/review-sources.ts'
import { sourceHealthStorage } from './feeds/source-health.ts'
import { hookStorage } from './hooks/hooks.ts'
import { invariantStorage } from './maintenance/invariants.ts'
import { maintenanceStorage } from './maintenance/maintenance.ts'
import { timeStorage } from './maintenance/time.ts'
import { accountStorage } from './people/accounts.ts'
import { alertStorage } from './people/alerts.ts'
import { atomFeedStorage } from './people/atom-feeds.ts'
import { attemptLimitStorage } from './people/attempt-limits.ts'
import { auditStorage } from './people/audit.ts'
import { peopleStorage } from './people/people.ts'
import { replyTemplateStorage } from './people/reply-templates.ts'
import { savedViewStorage } from './people/saved-views.ts'
import { storeConnectionStorage } from './people/store-connections.ts'
import { triageStorage } from './people/triage.ts'
import { deadLetterStorage } from './queue/dead-letters.ts'
import { deliveryStorage, type PageOf } from './queue/deliveries.ts'
import { enrichmentStorage } from './queue/enrichments.ts'
import { replyStorage } from './queue/replies.ts'
import { importStorage } from './reports/imports.ts'
import type { ReviewBuckets } from './reports/overview.ts'
import { reportStorage } from './reports/reports.ts'
import { statisticsStorage } from './reports/statistics.ts'

/** What each engine does in its own way. The file of each begins with the reason. */
export type EngineParts = {
  readonly now: () => Promise<Date>
  readonly feeds: Pick<FeedStorage, 'claim'>
  readonly occurrences: Pick<OccurrenceStorage, 'fanOut'>
  readonly deliveries: Pick<DeliveryStorage, 'claim' | 'release' | 'settle' | 'changeLanes' | 'eventsAfter'>
  readonly pageOf: PageOf
  readonly maintenance: Pick<
    MaintenanceStorage,
    'joinServices' | 'ping' | 'sizeBytes' | 'diskSpace' | 'backup'
  >
  readonly reports: Pick<ReportStorage, 'app' | 'reviews' | 'countReviews'>
  readonly reviewBuckets: ReviewBuckets
  readonly statistics: Omit<StatisticsStorage, 'ratings'>
}

/** All parts of the storage. */
export function parts(
  db: Db,
  engine: EngineParts,
  localNow: () => Date,
): Omit<Storage, 'engine' | 'onWake' | keyof AsyncDisposable> {
  return {
    accounts: accountStorage(db),
    alerts: alertStorage(db),
    atomFeeds: atomFeedStorage(db),
    attemptLimits: attemptLimitStorage(db),
    audit: auditStorage(db),
    deadLetters: deadLetterStorage(db, engine.pageOf),
    deliveries: { ...deliveryStorage(db, engine.pageOf), ...engine.deliveries },
    erasures: erasureStorage(db),
    feeds: { ...feedStorage(db, localNow), ...engine.feeds },
    hooks: hookStorage(db),
    imports: importStorage(db),
    invariants: invariantStorage(db),
    maintenance: { ...maintenanceStorage(db), ...engine.maintenance },
    occurrences: { ...enrichmentStorage(db), ...engine.occurrences },
    pace: paceStorage(db),
    people: peopleStorage(db),
    replies: replyStorage(db),
    sourceHealth: sourceHealthStorage(db),
    replyTemplates: replyTemplateStorage(db),
    reports: { ...reportStorage(db, engine.reviewBuckets), ...engine.reports },
    reviewHistories: reviewHistoryStorage(db),
    reviewSources: reviewSourceStorage(db),
    savedViews: savedViewStorage(db),
    statistics: { ...statisticsStorage(db), ...engine.statistics },
    storeConnections: storeConnectionStorage(db),
    time: timeStorage(db, engine.now),
    triage: triageStorage(db),
  }
}
