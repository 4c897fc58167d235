import { z } from 'zod'
import {
  DestinationBody,
  DestinationChange,
  type DestinationLine,
  type DestinationPage,
  type MessagePreview,
  MessagePreviewBody,
  RotateBody,
  type SecretShown,
  type TestSent,
} from '../../contract/console/destinations.ts'
import type { HookWithWatches } from '../../model/hook.ts'
import { mayFollowWork, redirectsAfterWork } from '../../model/redirects.ts'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import type { Operations } from '../../operations/operations.ts'
import { CONSOLE_SOURCE } from '../../operations/require-hook.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { MaintenanceStorage } from '../../storage/port/maintenance.ts'
import { type Member, type Route, route } from '../route.ts'
import { presentAttempt } from './attempt-view.ts'
import { type DestinationViewDeps, destinationView } from './destination-view.ts'
import { presentNotice } from './overview-routes.ts'
import { watchInputOf, watchSetInputOf } from './watch-view.ts'

export type DestinationDeps = DestinationViewDeps & {
  readonly operations: Pick<Operations, 'hooks'>
  readonly deliveries: Pick<DeliveryStorage, 'list' | 'tests'>
  readonly maintenance: Pick<MaintenanceStorage, 'notices'>
}

const NOTICES_SHOWN = 50

const TestBody = z.object({
  eventType: z.enum(EVENT_TYPES, { error: `eventType: one of ${EVENT_TYPES.join(', ')}` }).optional(),
})

/** Destinations: all hooks of the account, as the console shows them. */
export function destinationRoutes(deps: DestinationDeps): Route[] {
  const { hooks } = deps.operations
  const view = destinationView(deps)
  const change = (action: string, run: (accountId: string, id: string) => Promise<HookWithWatches>): Route =>
    route({
      method: 'POST',
      path: `/destinations/:id/${action}`,
      run: async ({ caller, param }) => view.one(await run(caller.accountId, param('id'))),
    })

  return [
    route({
      method: 'GET',
      path: '/destinations',
      run: async ({ caller }) => view.all(caller.accountId, await hooks.list(caller.accountId)),
    }),

    route({
      method: 'POST',
      path: '/destinations',
      body: DestinationBody,
      async run({ caller: { accountId }, body }): Promise<DestinationLine & SecretShown> {
        const { id, secret } = await hooks.create(accountId, {
          source: CONSOLE_SOURCE,
          targetType: body.targetType,
          targetUrl: body.targetUrl,
          targetSettings: body.targetSettings,
          name: body.name,
          description: body.description,
          redirect: body.redirect,
          externalRef: null,
          watches: body.watch === undefined ? [] : [watchInputOf(body.watch)],
          watchSets: body.watchSet === undefined ? [] : [watchSetInputOf(body.watchSet)],
        })
        return { ...(await view.one(await hooks.get(accountId, id))), secret }
      },
    }),

    route({
      method: 'GET',
      path: '/destinations/:id',
      run: async ({ caller, param }) => pageOf(deps, await hooks.get(caller.accountId, param('id')), caller),
    }),

    route({
      method: 'PATCH',
      path: '/destinations/:id',
      body: DestinationChange,
      run: async ({ caller, param, body }) =>
        view.one(await hooks.change(caller.accountId, param('id'), body)),
    }),

    route({
      method: 'DELETE',
      path: '/destinations/:id',
      run: ({ caller, param }) => hooks.remove(caller.accountId, param('id')),
    }),

    route({
      method: 'POST',
      path: '/destinations/preview',
      body: MessagePreviewBody,
      run: async ({ body }): Promise<MessagePreview> =>
        hooks.previewMessage(body.targetType, body.targetSettings ?? null, body.eventType),
    }),

    change('pause', hooks.pause),
    change('resume', hooks.resume),
    route({
      method: 'POST',
      path: '/destinations/:id/recipients/:recipient/subscribe',
      run: async ({ caller, param }) =>
        view.one(await hooks.resubscribe(caller.accountId, param('id'), param('recipient'))),
    }),
    ...secretRoutes(hooks),

    route({
      method: 'POST',
      path: '/destinations/:id/test',
      body: TestBody,
      async run({ caller, param, body: { eventType } }): Promise<TestSent> {
        const { attempt, body } = await hooks.sendTest(caller.accountId, param('id'), eventType ?? null)
        return { attempt: presentAttempt(attempt, caller), body }
      },
    }),
  ]
}

function secretRoutes(hooks: Operations['hooks']): Route[] {
  return [
    route({
      method: 'POST',
      path: '/destinations/:id/rotate',
      body: RotateBody,
      async run({ caller, param, body }): Promise<SecretShown> {
        return { secret: await hooks.rotateSecret(caller.accountId, param('id'), body.overlapHours) }
      },
    }),

    route({
      method: 'POST',
      path: '/destinations/:id/revoke-old',
      run: ({ caller, param }) => hooks.revokeOldSecrets(caller.accountId, param('id')),
    }),
  ]
}

function presentSchedule({ messageSchedule }: HookWithWatches): DestinationPage['messageSchedule'] {
  if (messageSchedule === null) return null
  const { timeZone, everyMinutes, dailyAt, weekday, quiet } = messageSchedule
  return {
    timeZone,
    everyMinutes,
    dailyAt,
    weekday,
    quietFrom: quiet?.from ?? null,
    quietUntil: quiet?.until ?? null,
  }
}

/** One destination with its latest notices and test events. */
async function pageOf(
  deps: DestinationDeps,
  hook: HookWithWatches,
  caller: Member,
): Promise<DestinationPage> {
  const { accountId } = caller
  const [line, notices, tests, redirected] = await Promise.all([
    destinationView(deps).one(hook),
    deps.maintenance.notices(accountId, { hookId: hook.id, limit: NOTICES_SHOWN }),
    deps.deliveries.tests(accountId, hook.id),
    deps.deliveries.list(accountId, { hookId: hook.id, reason: 'redirect' }, { limit: 1, before: null }),
  ])
  const now = deps.clock.now()
  return {
    ...line,
    ratePerSecond: hook.ratePerSecond,
    cloudEvents: hook.cloudEvents,
    redirect: hook.redirect,
    offersRedirect:
      hook.redirect === 'fail' &&
      (redirectsAfterWork(hook.targetUrl) ||
        mayFollowWork(redirected[0]?.lastHttpStatus ?? 0) ||
        mayFollowWork(tests[0]?.attempt.httpStatus ?? 0)),
    targetSettings: deps.operations.hooks.shownSettings(hook)?.settings ?? null,
    messageSchedule: presentSchedule(hook),
    recipients: deps.operations.hooks.recipients(hook).map(({ id, address, unsubscribedAt }) => ({
      id,
      address,
      unsubscribedAt: unsubscribedAt?.toISOString() ?? null,
    })),
    oldSecretsExpireAt: hook.secrets.flatMap(({ expiresAt }) =>
      expiresAt !== null && expiresAt > now ? [expiresAt.toISOString()] : [],
    ),
    notices: notices.map(presentNotice),
    tests: tests.map(({ attempt }) => presentAttempt(attempt, caller)),
  }
}
