import { type AccountDeps, type AccountOperations, accountOperations } from './accounts/accounts.ts'
import { type PasskeyDeps, type PasskeyOperations, passkeyOperations } from './accounts/passkeys.ts'
import { type PeopleDeps, type PeopleOperations, peopleOperations } from './accounts/people.ts'
import {
  type SecondFactorDeps,
  type SecondFactorOperations,
  secondFactorOperations,
} from './accounts/second-factors.ts'
import { type SessionDeps, type SessionOperations, sessionOperations } from './accounts/sessions.ts'
import {
  type SingleSignOnDeps,
  type SingleSignOnOperations,
  singleSignOnOperations,
} from './accounts/single-sign-on.ts'
import { type AlertDeps, type AlertOperations, alertOperations } from './alerts.ts'
import { type AppDeps, type AppOperations, appOperations } from './apps/apps.ts'
import { type AtomFeedDeps, type AtomFeedOperations, atomFeedOperations } from './atom-feeds.ts'
import { type AuditDeps, type AuditOperations, auditOperations } from './audit.ts'
import {
  type ConnectionDeps,
  type ConnectionOperations,
  connectionOperations,
} from './connections/connections.ts'
import {
  type DeadLetterDeps,
  type DeadLetterOperations,
  deadLetterOperations,
} from './dead-letters/dead-letters.ts'
import { type DeliveryDeps, type DeliveryOperations, deliveryOperations } from './deliveries.ts'
import { type EventDeps, type EventOperations, eventOperations } from './events.ts'
import { type HookDeps, type HookOperations, hookOperations } from './hooks/hooks.ts'
import { type HookListDeps, type HookListOperations, hookListOperations } from './hooks/list-hooks.ts'
import { type RecoveryDeps, type RecoveryOperations, recoveryOperations } from './recovery.ts'
import { type ReplyDeps, type ReplyOperations, replyOperations } from './replies/replies.ts'
import {
  type ReplyTemplateDeps,
  type ReplyTemplateOperations,
  replyTemplateOperations,
} from './reply-templates/reply-templates.ts'
import { type ReviewDeps, type ReviewOperations, reviewOperations } from './reviews/reviews.ts'
import { type StatisticsDeps, type StatisticsOperations, statisticsOperations } from './statistics.ts'
import { type TokenDeps, type TokenOperations, tokenOperations } from './tokens.ts'
import { type WatchDeps, type WatchOperations, watchOperations } from './watches/watches.ts'

/** The operations that need only storage, which are all that the commands use. */
export type StoredOperations = {
  readonly audit: AuditOperations
  readonly deadLetters: DeadLetterOperations
  readonly deliveries: DeliveryOperations
  readonly hooks: HookListOperations
  readonly recovery: RecoveryOperations
  readonly tokens: TokenOperations
}

/** The use cases of people and programs, with their rules and limits. The REST API, the console API and the commands all call them. */
export type Operations = StoredOperations & {
  readonly accounts: AccountOperations
  readonly alerts: AlertOperations
  readonly apps: AppOperations
  readonly atomFeeds: AtomFeedOperations
  readonly connections: ConnectionOperations
  readonly events: EventOperations
  readonly hooks: HookOperations
  readonly passkeys: PasskeyOperations
  readonly people: PeopleOperations
  readonly replies: ReplyOperations
  readonly replyTemplates: ReplyTemplateOperations
  readonly reviews: ReviewOperations
  readonly secondFactors: SecondFactorOperations
  readonly singleSignOn: SingleSignOnOperations
  readonly statistics: StatisticsOperations
  readonly sessions: SessionOperations
  readonly watches: WatchOperations
}

export type StoredOperationsDeps = AuditDeps &
  DeadLetterDeps &
  DeliveryDeps &
  HookListDeps &
  RecoveryDeps &
  TokenDeps

export type OperationsDeps = StoredOperationsDeps &
  AlertDeps &
  AccountDeps &
  AppDeps &
  AtomFeedDeps &
  ConnectionDeps &
  EventDeps &
  HookDeps &
  PasskeyDeps &
  PeopleDeps &
  ReplyDeps &
  ReplyTemplateDeps &
  ReviewDeps &
  SecondFactorDeps &
  SessionDeps &
  SingleSignOnDeps &
  StatisticsDeps &
  WatchDeps

export function createStoredOperations(deps: StoredOperationsDeps): StoredOperations {
  return {
    audit: auditOperations(deps),
    deadLetters: deadLetterOperations(deps),
    deliveries: deliveryOperations(deps),
    hooks: hookListOperations(deps),
    recovery: recoveryOperations(deps),
    tokens: tokenOperations(deps),
  }
}

export function createOperations(deps: OperationsDeps): Operations {
  const accounts = accountOperations(deps)
  return {
    ...createStoredOperations(deps),
    accounts,
    alerts: alertOperations(deps),
    apps: appOperations(deps),
    atomFeeds: atomFeedOperations(deps),
    connections: connectionOperations(deps),
    events: eventOperations(deps),
    hooks: hookOperations(deps),
    passkeys: passkeyOperations(deps),
    people: peopleOperations(deps),
    replies: replyOperations(deps),
    replyTemplates: replyTemplateOperations(deps),
    reviews: reviewOperations(deps),
    secondFactors: secondFactorOperations(deps),
    singleSignOn: singleSignOnOperations(deps, accounts),
    statistics: statisticsOperations(deps),
    sessions: sessionOperations(deps),
    watches: watchOperations(deps),
  }
}
