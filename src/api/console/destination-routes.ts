import {
  type CreatedDestination,
  DestinationBody,
  type DestinationPage,
  type MessagePreview,
  MessagePreviewBody,
} from '../../contract/console/destinations.ts'
import type { HookWithWatches } from '../../model/hook.ts'
import { optionsOf } from '../../model/hook-options.ts'
import { scheduleRecord } from '../../operations/hooks/schedule-record.ts'
import { CONSOLE_SOURCE } from '../../operations/require-hook.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Member, type Route, route } from '../route.ts'
import { presentAttempt } from '../v1/attempt-view.ts'
import { optionInputOf, targetInputOf, watchInputOf } from '../v1/hooks.ts'
import { watchSetInputOf } from '../v1/watch-sets.ts'
import { type DestinationViewDeps, destinationView } from './destination-view.ts'
import { presentNotice } from './overview-routes.ts'

export type DestinationDeps = DestinationViewDeps & { readonly clock: Clock }

/** Destinations: all hooks of the account, as the console shows them. */
export function destinationRoutes(deps: DestinationDeps): Route[] {
  const { hooks } = deps.operations
  const view = destinationView(deps)
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
      run: ({ caller, body }): Promise<CreatedDestination> =>
        hooks.create(caller.accountId, {
          source: CONSOLE_SOURCE,
          ...targetInputOf(body),
          name: body.name,
          description: body.description,
          ...optionInputOf(body),
          externalRef: null,
          watches: body.watch === undefined ? [] : [watchInputOf(body.watch)],
          watchSets: body.watch_set === undefined ? [] : [watchSetInputOf(body.watch_set)],
        }),
    }),

    route({
      method: 'GET',
      path: '/destinations/:id',
      run: async ({ caller, param }) => pageOf(deps, await hooks.get(caller.accountId, param('id')), caller),
    }),

    route({
      method: 'POST',
      path: '/destinations/preview',
      viewersToo: true,
      body: MessagePreviewBody,
      run: async ({ body }): Promise<MessagePreview> =>
        hooks.previewMessage(body.target_type, body.target_settings ?? null, body.event_type),
    }),

    route({
      method: 'POST',
      path: '/destinations/:id/recipients/:recipient/subscribe',
      async run({ caller, param }) {
        await hooks.askToSubscribe(caller.accountId, param('id'), param('recipient'))
      },
    }),
  ]
}

/** One destination with its latest notices and test events. */
async function pageOf(
  deps: DestinationDeps,
  hook: HookWithWatches,
  caller: Member,
): Promise<DestinationPage> {
  const { accountId } = caller
  const { hooks } = deps.operations
  const [line, notices, tests, offersRedirect, firstReviewsAt] = await Promise.all([
    destinationView(deps).one(hook),
    hooks.notices(accountId, hook.id),
    hooks.tests(accountId, hook.id),
    hooks.offersRedirect(hook),
    hooks.firstReviewsAt(hook),
  ])
  const now = deps.clock.now()
  return {
    ...line,
    ratePerSecond: hook.ratePerSecond,
    ...optionsOf(hook),
    offersRedirect,
    firstReviewsAt: firstReviewsAt?.toISOString() ?? null,
    targetSettings: hooks.shownSettings(hook)?.settings ?? null,
    messageSchedule: scheduleRecord(hook.messageSchedule),
    recipients: hooks.recipients(hook).map(({ id, address, unsubscribedAt, unconfirmedSince }) => ({
      id,
      address,
      unsubscribedAt: unsubscribedAt?.toISOString() ?? null,
      unconfirmedSince: unconfirmedSince?.toISOString() ?? null,
    })),
    oldSecretsExpireAt: hook.secrets.flatMap(({ expiresAt }) =>
      expiresAt !== null && expiresAt > now ? [expiresAt.toISOString()] : [],
    ),
    notices: notices.map(presentNotice),
    tests: tests.map(({ attempt }) => presentAttempt(attempt, caller)),
  }
}
