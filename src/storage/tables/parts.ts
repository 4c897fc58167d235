import type { Db } from '../work.ts'
import { hookStorage } from './hooks/hooks.ts'
import { invariantStorage } from './maintenance/invariants.ts'
import { maintenanceStorage } from './maintenance/maintenance.ts'
import type { NativeSteps } from './native-steps.ts'
import { accountStorage } from './people/accounts.ts'
import { atomFeedStorage } from './people/atom-feeds.ts'
import { auditStorage } from './people/audit.ts'
import { peopleStorage } from './people/people.ts'
import { replyTemplateStorage } from './people/reply-templates.ts'
import { storeConnectionStorage } from './people/store-connections.ts'
import { enrichmentStorage } from './queue/enrichments.ts'
import { replyStorage } from './queue/replies.ts'
import { reportStorage } from './reports/reports.ts'
import { statisticsStorage } from './reports/statistics.ts'

/** The parts of storage that both engines share. */
export function sharedParts(db: Db, native: NativeSteps) {
  return {
    accounts: accountStorage(db),
    atomFeeds: atomFeedStorage(db),
    audit: auditStorage(db),
    hooks: hookStorage(db, native),
    invariants: invariantStorage(db),
    maintenance: maintenanceStorage(db),
    occurrences: enrichmentStorage(db),
    people: peopleStorage(db),
    replies: replyStorage(db),
    reports: reportStorage(db, native),
    statistics: statisticsStorage(db),
    replyTemplates: replyTemplateStorage(db),
    storeConnections: storeConnectionStorage(db, native),
  }
}
