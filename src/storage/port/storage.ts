import type { AccountStorage } from './accounts.ts'
import type { AlertStorage } from './alerts.ts'
import type { AtomFeedStorage } from './atom-feeds.ts'
import type { AttemptLimitStorage } from './attempt-limits.ts'
import type { AuditStorage } from './audit.ts'
import type { DeadLetterStorage } from './dead-letters.ts'
import type { DeliveryStorage } from './deliveries.ts'
import type { ErasureStorage } from './erasures.ts'
import type { FeedStorage, PaceStorage } from './feeds.ts'
import type { HookStorage } from './hooks.ts'
import type { ImportStorage } from './imports.ts'
import type { InvariantStorage } from './invariants.ts'
import type { MaintenanceStorage } from './maintenance.ts'
import type { OccurrenceStorage } from './occurrences.ts'
import type { PeopleStorage } from './people.ts'
import type { ReplyStorage } from './replies.ts'
import type { ReplyTemplateStorage } from './reply-templates.ts'
import type { ReportStorage } from './reports.ts'
import type { ReviewHistoryStorage } from './review-histories.ts'
import type { ReviewSourceStorage } from './review-sources.ts'
import type { SavedViewStorage } from './saved-views.ts'
import type { SourceHealthStorage } from './source-health.ts'
import type { StatisticsStorage } from './statistics.ts'
import type { StoreConnectionStorage } from './store-connections.ts'
import type { TimeStorage } from './time.ts'
import type { TriageStorage } from './triage.ts'

/**
 * The storage port. Every method is one transaction, so an atomic change is one method. Instants are UTC with
 * millisecond precision. A method throws `StorageUnavailable` when the engine is unreachable; any undocumented error is
 * a bug. The conformance suite, which every engine runs, specifies the details.
 */
export type Storage = AsyncDisposable & {
  readonly engine: 'sqlite' | 'postgres'
  readonly accounts: AccountStorage
  readonly people: PeopleStorage
  readonly audit: AuditStorage
  readonly atomFeeds: AtomFeedStorage
  readonly attemptLimits: AttemptLimitStorage
  readonly reviewSources: ReviewSourceStorage
  readonly reviewHistories: ReviewHistoryStorage
  readonly replies: ReplyStorage
  readonly replyTemplates: ReplyTemplateStorage
  readonly storeConnections: StoreConnectionStorage
  readonly hooks: HookStorage
  readonly feeds: FeedStorage
  readonly pace: PaceStorage
  readonly sourceHealth: SourceHealthStorage
  readonly occurrences: OccurrenceStorage
  readonly deliveries: DeliveryStorage
  readonly deadLetters: DeadLetterStorage
  readonly alerts: AlertStorage
  readonly maintenance: MaintenanceStorage
  readonly reports: ReportStorage
  readonly statistics: StatisticsStorage
  readonly imports: ImportStorage
  readonly erasures: ErasureStorage
  readonly triage: TriageStorage
  readonly savedViews: SavedViewStorage
  readonly time: TimeStorage
  readonly invariants: InvariantStorage
  /**
   * Calls `wake` when another process may have created work (PostgreSQL's LISTEN). It only reduces latency. Returns a
   * function that stops listening. SQLite never calls `wake`.
   */
  readonly onWake: (wake: () => void) => () => void
}
