import { starsOf } from '../../model/decimal.ts'
import { type Hook, type HookWithWatches, uniqueApps } from '../../model/hook.ts'
import { WATCHES_MAX } from '../../model/hook-limits.ts'
import { DEFAULT_HOOK_OPTIONS } from '../../model/hook-options.ts'
import { newHookId } from '../../model/ids.ts'
import { INBOX_TARGET } from '../../model/inbox.ts'
import { NOTABLE_FALL_MICROS } from '../../model/rating.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { WithInstants } from '../../runtime/instant.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { AppId } from '../apps/apps.ts'
import type { AccountGuard } from '../limits.ts'
import { CONSOLE_SOURCE, requireHook } from '../require-hook.ts'
import { newWatch, type WatchInput } from '../watches/new-watch.ts'

export type InboxDeps = {
  readonly hooks: Pick<HookStorage, 'addToInbox' | 'get' | 'watchedApps'>
  readonly limits: Pick<AccountGuard, 'counts'>
  readonly clock: Clock
  readonly sealer: Sealer
  readonly newSecret: () => string
  readonly wake: () => void
}

/** Subscribes the account's inbox to the app, null for all watched ones, and creates the inbox of an account without one. */
export async function openInbox(
  deps: InboxDeps,
  accountId: string,
  app: AppId | null,
): Promise<HookWithWatches> {
  const { hooks, limits, clock, sealer } = deps
  const now = clock.now()
  const id = newHookId(CONSOLE_SOURCE)
  const hook: WithInstants<Hook> = {
    id,
    accountId,
    source: CONSOLE_SOURCE,
    targetType: 'webhook',
    targetUrl: INBOX_TARGET,
    targetSettings: null,
    name: null,
    description: null,
    externalRef: null,
    status: 'active',
    // Nothing verifies it: it signs so that an event here looks like a webhook's.
    secrets: [{ sealed: sealer.seal(deps.newSecret(), id), expiresAt: null }],
    ratePerSecond: null,
    ...DEFAULT_HOOK_OPTIONS,
    messageSchedule: null,
    unsubscribed: [],
    createdAt: now,
  }
  const apps = app === null ? uniqueApps(await hooks.watchedApps(accountId)) : [app]
  const watches = apps
    .flatMap(subscriptionsOf)
    .map((input) => newWatch(input, { accountId, hookId: id }, now))
  const inboxId = await hooks.addToInbox(hook, watches, { ...limits.counts, watchesMax: WATCHES_MAX })
  deps.wake()
  return requireHook(hooks, accountId, inboxId)
}

/** Every review, and every notable fall of the rating. */
function subscriptionsOf(app: AppId): WatchInput[] {
  return [
    { ...app, eventType: 'review.created' },
    { ...app, eventType: 'rating.dropped', delta: starsOf(NOTABLE_FALL_MICROS) },
  ]
}
