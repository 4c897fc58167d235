import type { Operation, Routes } from '../../contract/routes.ts'
import type { Route } from '../route.ts'
import { type AlertRouteDeps, alertRoutes } from './alerts.ts'
import { type AppRouteDeps, appRoutes } from './apps.ts'
import { type AtomFeedRouteDeps, atomFeedRoutes } from './atom-feeds.ts'
import { type AuditLogRouteDeps, auditLogRoutes } from './audit-log.ts'
import { type BulkReplyRouteDeps, bulkReplyRoutes } from './bulk-replies.ts'
import { type DeadLetterRouteDeps, deadLetterRoutes } from './dead-letters.ts'
import { type DeliveryRouteDeps, deliveryRoutes } from './deliveries.ts'
import { type EventRouteDeps, eventRoutes } from './events.ts'
import { type HookActionRouteDeps, hookActionRoutes } from './hook-actions.ts'
import { type HookRouteDeps, hookRoutes } from './hooks.ts'
import { type MeRouteDeps, meRoutes } from './me.ts'
import { type ReplyRouteDeps, replyRoutes } from './replies.ts'
import { type ReplyTemplateRouteDeps, replyTemplateRoutes } from './reply-templates.ts'
import { type ReviewRouteDeps, reviewRoutes } from './reviews.ts'
import { sampleRoutes } from './sample.ts'
import { type StatisticsRouteDeps, statisticsRoutes } from './statistics.ts'
import { type StoreConnectionRouteDeps, storeConnectionRoutes } from './store-connections.ts'
import { type TriageRouteDeps, triageRoutes } from './triage.ts'
import { type WatchSetRouteDeps, watchSetRoutes } from './watch-sets.ts'
import { type WatchRouteDeps, watchRoutes } from './watches.ts'

export type ApiRouteDeps = HookRouteDeps &
  HookActionRouteDeps &
  WatchRouteDeps &
  WatchSetRouteDeps &
  EventRouteDeps &
  ReviewRouteDeps &
  TriageRouteDeps &
  ReplyRouteDeps &
  BulkReplyRouteDeps &
  ReplyTemplateRouteDeps &
  AppRouteDeps &
  AtomFeedRouteDeps &
  StoreConnectionRouteDeps &
  StatisticsRouteDeps &
  DeliveryRouteDeps &
  DeadLetterRouteDeps &
  AlertRouteDeps &
  AuditLogRouteDeps &
  MeRouteDeps

/** The REST API: a route per operation of the contract. */
export function apiRoutes(table: Routes, deps: ApiRouteDeps): Record<Operation, Route> {
  return {
    ...hookRoutes(table, deps),
    ...hookActionRoutes(table, deps),
    ...watchRoutes(table, deps),
    ...watchSetRoutes(table, deps),
    ...sampleRoutes(table),
    ...eventRoutes(table, deps),
    ...reviewRoutes(table, deps),
    ...triageRoutes(table, deps),
    ...replyRoutes(table, deps),
    ...bulkReplyRoutes(table, deps),
    ...replyTemplateRoutes(table, deps),
    ...appRoutes(table, deps),
    ...atomFeedRoutes(table, deps),
    ...storeConnectionRoutes(table, deps),
    ...statisticsRoutes(table, deps),
    ...deliveryRoutes(table, deps),
    ...deadLetterRoutes(table, deps),
    ...alertRoutes(table, deps),
    ...auditLogRoutes(table, deps),
    ...meRoutes(table, deps),
  }
}
