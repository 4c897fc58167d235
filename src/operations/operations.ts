import { type AccountDeletionDeps, accountDeletionOperations } from './accounts/account-deletion.ts'
import { type AccountDeps, accountOperations } from './accounts/accounts.ts'
import { type PasskeyDeps, passkeyOperations } from './accounts/passkeys.ts'
import { type PeopleDeps, peopleOperations } from './accounts/people.ts'
import { type SecondFactorDeps, secondFactorOperations } from './accounts/second-factors.ts'
import { type SessionDeps, sessionOperations } from './accounts/sessions.ts'
import { type SingleSignOnDeps, singleSignOnOperations } from './accounts/single-sign-on.ts'
import { type AlertDeps, alertOperations } from './alerts.ts'
import { type AppDeps, appOperations } from './apps/apps.ts'
import { type AtomFeedDeps, atomFeedOperations } from './atom-feeds.ts'
import { type AuditDeps, auditOperations } from './audit.ts'
import { type ConnectionDeps, connectionOperations } from './connections/connections.ts'
import { type DeadLetterDeps, deadLetterOperations } from './dead-letters/dead-letters.ts'
import { type DeliveryDeps, deliveryOperations } from './deliveries.ts'
import { type EventDeps, eventOperations } from './events.ts'
import { type HookActivityDeps, hookActivityOperations } from './hooks/hook-activity.ts'
import { type HookDeps, hookOperations } from './hooks/hooks.ts'
import { type HookListDeps, hookListOperations } from './hooks/list-hooks.ts'
import { type OverviewDeps, overviewOperations } from './overview.ts'
import { type RecoveryDeps, recoveryOperations } from './recovery.ts'
import { type BulkReplyDeps, bulkReplyOperations } from './replies/bulk.ts'
import { type ReplyDeps, replyOperations } from './replies/replies.ts'
import { type ReplyTemplateDeps, replyTemplateOperations } from './reply-templates/reply-templates.ts'
import { type ReviewDeps, reviewOperations } from './reviews/reviews.ts'
import { type TriageDeps, triageOperations } from './reviews/triage.ts'
import { type SavedViewDeps, savedViewOperations } from './saved-views.ts'
import { type StatisticsDeps, statisticsOperations } from './statistics.ts'
import { type StatusDeps, statusOperations } from './status.ts'
import { type SystemDeps, systemOperations } from './system.ts'
import { type TokenDeps, tokenOperations } from './tokens.ts'
import { type WatchDeps, watchOperations } from './watches/watches.ts'

export type StoredOperations = ReturnType<typeof createStoredOperations>

export type Operations = ReturnType<typeof createOperations>

export type StoredOperationsDeps = AuditDeps &
  DeadLetterDeps &
  DeliveryDeps &
  HookListDeps &
  RecoveryDeps &
  TokenDeps

export type OperationsDeps = StoredOperationsDeps &
  AlertDeps &
  AccountDeletionDeps &
  AccountDeps &
  AppDeps &
  AtomFeedDeps &
  ConnectionDeps &
  EventDeps &
  HookActivityDeps &
  HookDeps &
  OverviewDeps &
  PasskeyDeps &
  PeopleDeps &
  ReplyDeps &
  ReplyTemplateDeps &
  ReviewDeps &
  SavedViewDeps &
  SecondFactorDeps &
  SessionDeps &
  SingleSignOnDeps &
  StatisticsDeps &
  BulkReplyDeps &
  StatusDeps &
  SystemDeps &
  TriageDeps &
  WatchDeps

/** The operations that need only storage, which are all that the commands use. */
export function createStoredOperations(deps: StoredOperationsDeps) {
  return {
    audit: auditOperations(deps),
    deadLetters: deadLetterOperations(deps),
    deliveries: deliveryOperations(deps),
    hooks: hookListOperations(deps),
    recovery: recoveryOperations(deps),
    tokens: tokenOperations(deps),
  }
}

/** The use cases of people and programs, with their rules and limits. The REST API, the console API and the commands all call them. */
export function createOperations(deps: OperationsDeps) {
  const accounts = accountOperations(deps)
  return {
    ...createStoredOperations(deps),
    accounts,
    alerts: alertOperations(deps),
    apps: appOperations(deps),
    atomFeeds: atomFeedOperations(deps),
    connections: connectionOperations(deps),
    events: eventOperations(deps),
    hooks: { ...hookOperations(deps), ...hookActivityOperations(deps) },
    overview: overviewOperations(deps),
    passkeys: passkeyOperations(deps),
    people: peopleOperations(deps),
    accountDeletion: accountDeletionOperations(deps),
    bulkReplies: bulkReplyOperations(deps),
    replies: replyOperations(deps),
    replyTemplates: replyTemplateOperations(deps),
    reviews: reviewOperations(deps),
    savedViews: savedViewOperations(deps),
    secondFactors: secondFactorOperations(deps),
    singleSignOn: singleSignOnOperations(deps, accounts),
    statistics: statisticsOperations(deps),
    sessions: sessionOperations(deps),
    status: statusOperations(deps),
    system: systemOperations(deps),
    triage: triageOperations(deps),
    watches: watchOperations(deps),
  }
}
