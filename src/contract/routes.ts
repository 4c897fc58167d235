import { z } from 'zod'
import { me, tokenView } from './account.ts'
import { SOURCES, type TargetUrlProblemOf } from './hook.ts'
import type { Route } from './route.ts'
import { alertRoutes } from './v1/alerts.ts'
import { appRoutes } from './v1/apps.ts'
import { atomFeedRoutes } from './v1/atom-feeds.ts'
import { auditLogRoutes } from './v1/audit-log.ts'
import { bulkReplyRoutes } from './v1/bulk-replies.ts'
import { deadLetterRoutes } from './v1/dead-letters.ts'
import { deliveryRoutes } from './v1/deliveries.ts'
import { eventRoutes } from './v1/events.ts'
import { hookActionRoutes } from './v1/hook-actions.ts'
import { hookRoutesFor } from './v1/hooks.ts'
import { replyRoutes } from './v1/replies.ts'
import { replyTemplateRoutes } from './v1/reply-templates.ts'
import { reviewRoutes } from './v1/reviews.ts'
import { statisticsRoutes } from './v1/statistics.ts'
import { storeConnectionRoutes } from './v1/store-connections.ts'
import { triageRoutes } from './v1/triage.ts'
import { watchSetRoutes } from './v1/watch-sets.ts'
import { watchRoutes } from './v1/watches.ts'

/** The route table of `/api/v1` for an installation with these `sources` and rules for targets. */
export function routesFor(
  sources: readonly string[] = SOURCES,
  targetUrlProblemOf: TargetUrlProblemOf = () => null,
) {
  return {
    ...hookRoutesFor(sources, targetUrlProblemOf),
    ...hookActionRoutes,
    ...watchRoutes,
    ...watchSetRoutes,
    ...eventRoutes,
    ...reviewRoutes,
    ...triageRoutes,
    ...bulkReplyRoutes,
    ...replyRoutes,
    ...replyTemplateRoutes,
    ...atomFeedRoutes,
    ...appRoutes,
    ...storeConnectionRoutes,
    ...statisticsRoutes,
    ...deliveryRoutes,
    ...deadLetterRoutes,
    ...alertRoutes,
    ...auditLogRoutes,
    list_tokens: {
      method: 'GET',
      path: '/tokens',
      tag: 'Account',
      scopes: ['operate'],
      summary: 'List tokens',
      description: 'The API tokens of the account, newest first, without their values.',
      success: { status: 200, description: 'All tokens.', schema: z.array(tokenView) },
      errors: {},
    },
    me: {
      method: 'GET',
      path: '/me',
      tag: 'Account',
      scopes: [],
      session: 'none',
      summary: 'Show the account of the token',
      description: 'The account and the name of the token. Automation platforms use it as a connection test.',
      success: { status: 200, description: 'The account.', schema: me },
      errors: {},
    },
  } as const satisfies Record<string, Route>
}

export type Routes = ReturnType<typeof routesFor>
export type Operation = keyof Routes
