import { z } from 'zod'
import {
  DestinationBody,
  DestinationChange,
  type DestinationLine,
  type DestinationPage,
  RotateBody,
  type SecretShown,
  type TestSent,
  WatchBody,
} from '../../contract/console/destinations.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { newHookId } from '../../model/ids.ts'
import { EVENT_TYPES } from '../../model/vocabulary.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AddressGuard } from '../../runtime/egress/guard.ts'
import { checkTargetUrl } from '../../runtime/egress/target-url.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { InsightsStorage } from '../../storage/port/insights.ts'
import type { UpkeepStorage } from '../../storage/port/upkeep.ts'
import { Refusal } from '../errors.ts'
import { type HookTestDeps, testEventOf } from '../routes/hook-test.ts'
import { presentAttempt } from './attempt-view.ts'
import { CONSOLE_SOURCE, presentDestination } from './destination-view.ts'
import { presentNotice } from './overview-routes.ts'
import { rotated } from './rotate.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'
import { previewWatch, watchFrom } from './watches.ts'

export type DestinationDeps = {
  readonly hooks: HookStorage
  readonly limits: AccountGuard
  readonly deliveries: Pick<DeliveryStorage, 'tests' | 'recordTest'>
  readonly insights: Pick<InsightsStorage, 'hookHealth' | 'reviews' | 'app'>
  readonly upkeep: Pick<UpkeepStorage, 'notices'>
  readonly clock: Clock
  readonly guard: AddressGuard
  readonly sealer: Sealer
  readonly newSecret: () => string
  readonly sendOnce: HookTestDeps['sendOnce']
  /** Ends the poll loop's wait: the apps of a new watch are due now. */
  readonly wakePoll: () => void
  /** Ends the send loop's wait: what a pause held is due now. */
  readonly wakeSend: () => void
}

/** Chosen: a destination's watches fit on a page. */
const WATCHES_MAX = 200
const NOTICES_SHOWN = 50

const TestBody = z.object({
  eventType: z.enum(EVENT_TYPES, { error: `eventType: ${EVENT_TYPES.join(' or ')}` }).optional(),
})

export function destinationRoutes(deps: DestinationDeps): ConsoleRoute[] {
  const { hooks, deliveries, insights, upkeep, clock, sealer } = deps

  const lineOf = async (hook: HookWithWatches): Promise<DestinationLine> => {
    const [watched, health] = await Promise.all([
      hooks.watchedApps(hook.accountId),
      insights.hookHealth(hook.accountId, clock.now()),
    ])
    return presentDestination(hook, watched, health.get(hook.id))
  }
  const find = async (accountId: string, id: string): Promise<HookWithWatches> => {
    const hook = await hooks.get(accountId, id)
    if (hook === null) throw noSuchDestination()
    return hook
  }
  const editable = async (accountId: string, id: string): Promise<HookWithWatches> => {
    const hook = await find(accountId, id)
    if (hook.source === CONSOLE_SOURCE) return hook
    throw new Refusal(
      'conflict',
      `This destination is managed by "${hook.source}" through the API; here it can only be disconnected.`,
    )
  }
  const targetOf = (text: string): string => {
    const target = checkTargetUrl(text, deps.guard)
    if (!target.ok) throw new Refusal('invalid', target.message.replace(/^target_url/, 'targetUrl:'))
    return text
  }
  const setStatus = async (accountId: string, id: string, status: 'active' | 'paused') => {
    await editable(accountId, id)
    const hook = await hooks.setStatus(accountId, id, status, clock.now())
    if (hook === null) throw noSuchDestination()
    if (status === 'active') deps.wakeSend()
    return lineOf(hook)
  }

  return [
    consoleRoute({
      method: 'GET',
      path: '/destinations',
      async run({ caller: { accountId } }): Promise<DestinationLine[]> {
        const [all, watched, health] = await Promise.all([
          hooks.list(accountId),
          hooks.watchedApps(accountId),
          insights.hookHealth(accountId, clock.now()),
        ])
        return all.map((hook) => presentDestination(hook, watched, health.get(hook.id)))
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations',
      body: DestinationBody,
      async run({ caller: { accountId }, body }): Promise<DestinationLine & SecretShown> {
        const createdAt = clock.now()
        const id = newHookId(CONSOLE_SOURCE)
        const secret = deps.newSecret()
        const hook: Hook = {
          id,
          accountId,
          source: CONSOLE_SOURCE,
          targetUrl: targetOf(body.targetUrl),
          externalRef: null,
          status: 'active',
          secrets: [{ sealed: sealer.seal(secret, id), expiresAt: null }],
          ratePerSecond: null,
          createdAt,
        }
        const watches =
          body.watch === undefined ? [] : [watchFrom(body.watch, { accountId, hookId: id }, createdAt)]
        await hooks.create(hook, watches, { limits: deps.limits.counts })
        deps.wakePoll()
        return { ...(await lineOf({ ...hook, watches })), secret }
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/destinations/:id',
      async run({ caller, param }): Promise<DestinationPage> {
        const { accountId } = caller
        const hook = await find(accountId, param('id'))
        const [line, notices, tests] = await Promise.all([
          lineOf(hook),
          upkeep.notices(accountId, { hookId: hook.id, limit: NOTICES_SHOWN }),
          deliveries.tests(accountId, hook.id),
        ])
        const now = clock.now()
        return {
          ...line,
          ratePerSecond: hook.ratePerSecond,
          oldSecretsExpireAt: hook.secrets.flatMap(({ expiresAt }) =>
            expiresAt !== null && expiresAt > now ? [expiresAt.toISOString()] : [],
          ),
          notices: notices.map(presentNotice),
          tests: tests.map(({ attempt }) => presentAttempt(attempt, caller)),
        }
      },
    }),

    consoleRoute({
      method: 'PATCH',
      path: '/destinations/:id',
      body: DestinationChange,
      async run({ caller: { accountId }, param, body }) {
        const { id } = await editable(accountId, param('id'))
        const hook = await hooks.update(accountId, id, {
          ...(body.targetUrl !== undefined && { targetUrl: targetOf(body.targetUrl) }),
          ...(body.ratePerSecond !== undefined && { ratePerSecond: body.ratePerSecond }),
        })
        if (hook === null) throw noSuchDestination()
        return lineOf(hook)
      },
    }),

    consoleRoute({
      method: 'DELETE',
      path: '/destinations/:id',
      async run({ caller: { accountId }, param }) {
        if (!(await hooks.remove(accountId, param('id'), clock.now()))) throw noSuchDestination()
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/pause',
      run: ({ caller, param }) => setStatus(caller.accountId, param('id'), 'paused'),
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/resume',
      run: ({ caller, param }) => setStatus(caller.accountId, param('id'), 'active'),
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/rotate',
      body: RotateBody,
      async run({ caller: { accountId }, param, body }): Promise<SecretShown> {
        const { id, secrets } = await editable(accountId, param('id'))
        const secret = deps.newSecret()
        const sealed = sealer.seal(secret, id)
        await hooks.update(accountId, id, {
          secrets: rotated(secrets, sealed, body.overlapHours * 3_600_000, clock.now()),
        })
        return { secret }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/revoke-old',
      async run({ caller: { accountId }, param }) {
        const { id, secrets } = await editable(accountId, param('id'))
        await hooks.update(accountId, id, { secrets: secrets.slice(0, 1) })
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/test',
      body: TestBody,
      async run({ caller, param, body: { eventType } }): Promise<TestSent> {
        const hook = await find(caller.accountId, param('id'))
        deps.limits.testEvent(caller.accountId)
        const event = testEventOf(hook, clock.now(), eventType)
        const body = JSON.stringify(event)
        const attempt = await deps.sendOnce(hook, { eventId: event.event_id, body })
        await deliveries.recordTest(caller.accountId, hook.id, attempt, body)
        return { attempt: presentAttempt(attempt, caller), body }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/destinations/:id/watches',
      body: WatchBody,
      async run({ caller: { accountId }, param, body }) {
        const hook = await editable(accountId, param('id'))
        if (hook.watches.length >= WATCHES_MAX) {
          throw new Refusal('conflict', `A destination has at most ${WATCHES_MAX} watches.`)
        }
        const watch = watchFrom(body, { accountId, hookId: hook.id }, clock.now())
        if (!(await hooks.addWatch(accountId, watch, deps.limits.counts))) throw noSuchDestination()
        deps.wakePoll()
        return lineOf(await find(accountId, hook.id))
      },
    }),

    consoleRoute({
      method: 'PUT',
      path: '/destinations/:id/watches/:watchId',
      body: WatchBody,
      async run({ caller: { accountId }, param, body }) {
        const hook = await editable(accountId, param('id'))
        const watch = watchFrom(body, { accountId, hookId: hook.id }, clock.now(), param('watchId'))
        if (!(await hooks.updateWatch(accountId, watch, deps.limits.counts))) throw noSuchWatch()
        deps.wakePoll()
        return lineOf(await find(accountId, hook.id))
      },
    }),

    consoleRoute({
      method: 'DELETE',
      path: '/destinations/:id/watches/:watchId',
      async run({ caller: { accountId }, param }) {
        const hook = await editable(accountId, param('id'))
        if (!(await hooks.removeWatch(accountId, hook.id, param('watchId'), clock.now()))) throw noSuchWatch()
        return lineOf(await find(accountId, hook.id))
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/watches/preview',
      body: WatchBody,
      async run({ caller: { accountId }, body }) {
        const now = clock.now()
        const watch = watchFrom(body, { accountId, hookId: '' }, now)
        return previewWatch(watch, await hooks.watchedApps(accountId), insights, now)
      },
    }),
  ]
}

/** The same for a destination of another account, so that nobody learns which ids exist. */
function noSuchDestination(): Refusal {
  return new Refusal('not_found', 'The account has no destination with this id.')
}

function noSuchWatch(): Refusal {
  return new Refusal('not_found', 'The destination has no watch with this id.')
}
