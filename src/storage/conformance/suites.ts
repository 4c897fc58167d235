import { alertsSuite } from './alerts/alerts.ts'
import { coverageSuite } from './feeds/coverage.ts'
import { erasuresSuite } from './feeds/erasures.ts'
import { fairPollsSuite } from './feeds/fair-polls.ts'
import { feedsSuite } from './feeds/feeds.ts'
import { marksSuite } from './feeds/marks.ts'
import { paceSuite } from './feeds/pace.ts'
import { pollsSuite } from './feeds/polls.ts'
import { publicRepliesSuite } from './feeds/public-replies.ts'
import { quarantineSuite } from './feeds/quarantine.ts'
import { reviewHistoriesSuite } from './feeds/review-histories.ts'
import { reviewSourcesSuite } from './feeds/review-sources.ts'
import { reviewsSuite } from './feeds/reviews.ts'
import { sourceHealthSuite } from './feeds/source-health.ts'
import type { Engine } from './harness.ts'
import { hooksSuite } from './hooks/hooks.ts'
import { inboxesSuite } from './hooks/inboxes.ts'
import { mailRecipientsSuite } from './hooks/mail-recipients.ts'
import { watchSetReplacementSuite } from './hooks/watch-set-replacement.ts'
import { watchSetsSuite } from './hooks/watch-sets.ts'
import { creationSuite } from './maintenance/creation.ts'
import { invariantsSuite } from './maintenance/invariants.ts'
import { maintenanceSuite } from './maintenance/maintenance.ts'
import { pruneSuite } from './maintenance/prune.ts'
import { timeSuite } from './maintenance/time.ts'
import { accountDeletionSuite } from './people/account-deletion.ts'
import { accountLimitsSuite } from './people/account-limits.ts'
import { accountsSuite } from './people/accounts.ts'
import { atomFeedsSuite } from './people/atom-feeds.ts'
import { attemptLimitsSuite } from './people/attempt-limits.ts'
import { auditSuite } from './people/audit.ts'
import { peopleSuite } from './people/people.ts'
import { replyTemplatesSuite } from './people/reply-templates.ts'
import { savedViewsSuite } from './people/saved-views.ts'
import { storeConnectionsSuite } from './people/store-connections.ts'
import { triageSuite } from './people/triage.ts'
import { answerBatchesSuite } from './queue/answer-batches.ts'
import { answersSuite } from './queue/answers.ts'
import { claimsSuite } from './queue/claims.ts'
import { deadSuite } from './queue/dead-letters.ts'
import { deliveriesSuite } from './queue/deliveries.ts'
import { endedLanesSuite } from './queue/ended-lanes.ts'
import { enrichmentsSuite } from './queue/enrichments.ts'
import { eventLogSuite } from './queue/event-log.ts'
import { fanoutSuite } from './queue/fanout.ts'
import { queueModelSuite } from './queue/queue-model.ts'
import { queueStormSuite } from './queue/queue-storm.ts'
import { ratingRecoveriesSuite } from './queue/rating-recoveries.ts'
import { slidesSuite } from './queue/rating-slides.ts'
import { recoveriesSuite } from './queue/recoveries.ts'
import { replaysSuite } from './queue/replays.ts'
import { repliesSuite } from './queue/replies.ts'
import { retriesSuite } from './queue/retries.ts'
import { spikesSuite } from './queue/review-spikes.ts'
import { sendAgainSuite } from './queue/send-again.ts'
import { settleSuite } from './queue/settle.ts'
import { appReportsSuite } from './reports/apps.ts'
import { failingHooksSuite } from './reports/failing-hooks.ts'
import { figuresSuite } from './reports/figures.ts'
import { importsSuite } from './reports/imports.ts'
import { reviewReportsSuite } from './reports/reviews.ts'
import { statisticsSuite } from './reports/statistics.ts'

/** Accounts, hooks, and the polls of feeds. */
export function feedSuites(engine: Engine): void {
  accountDeletionSuite(engine)
  accountLimitsSuite(engine)
  accountsSuite(engine)
  hooksSuite(engine)
  watchSetsSuite(engine)
  watchSetReplacementSuite(engine)
  coverageSuite(engine)
  fairPollsSuite(engine)
  feedsSuite(engine)
  pollsSuite(engine)
  quarantineSuite(engine)
  reviewsSuite(engine)
  publicRepliesSuite(engine)
  paceSuite(engine)
  sourceHealthSuite(engine)
  marksSuite(engine)
}

/** From an occurrence to a settled delivery, and maintenance. */
export function queueSuites(engine: Engine): void {
  enrichmentsSuite(engine)
  fanoutSuite(engine)
  slidesSuite(engine)
  spikesSuite(engine)
  ratingRecoveriesSuite(engine)
  inboxesSuite(engine)
  claimsSuite(engine)
  settleSuite(engine)
  endedLanesSuite(engine)
  deliveriesSuite(engine)
  eventLogSuite(engine)
  deadSuite(engine)
  replaysSuite(engine)
  recoveriesSuite(engine)
  retriesSuite(engine)
  maintenanceSuite(engine)
  pruneSuite(engine)
  invariantsSuite(engine)
  queueModelSuite(engine)
  queueStormSuite(engine)
}

/** The clock that all other suites assume to be right. */
export function clockSuites(engine: Engine): void {
  timeSuite(engine)
  creationSuite(engine)
}

/** Queries and changes of the console. */
export function consoleSuites(engine: Engine): void {
  peopleSuite(engine)
  auditSuite(engine)
  atomFeedsSuite(engine)
  attemptLimitsSuite(engine)
  mailRecipientsSuite(engine)
  replyTemplatesSuite(engine)
  storeConnectionsSuite(engine)
  triageSuite(engine)
  savedViewsSuite(engine)
  reviewHistoriesSuite(engine)
  reviewSourcesSuite(engine)
  repliesSuite(engine)
  answersSuite(engine)
  answerBatchesSuite(engine)
  sendAgainSuite(engine)
  alertsSuite(engine)
  reviewReportsSuite(engine)
  appReportsSuite(engine)
  figuresSuite(engine)
  failingHooksSuite(engine)
  statisticsSuite(engine)
  importsSuite(engine)
  erasuresSuite(engine)
}
