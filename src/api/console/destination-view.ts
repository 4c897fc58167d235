import type { DestinationHealth, DestinationLine } from '../../contract/console/destinations.ts'
import type { HookWithWatches } from '../../model/hook.ts'
import type { WatchedApp } from '../../operations/apps/apps.ts'
import type { HookFigures } from '../../operations/hooks/hook-activity.ts'
import type { Operations } from '../../operations/operations.ts'
import { isEditable } from '../../operations/require-hook.ts'
import { successRate } from './success-rate.ts'
import { presentWatch, presentWatchSet } from './watch-view.ts'

export type DestinationViewDeps = { readonly operations: Pick<Operations, 'apps' | 'hooks'> }

/** Hooks for display, with the names of their apps and the health of their deliveries. */
export function destinationView({ operations }: DestinationViewDeps) {
  const all = async (accountId: string, shown: readonly HookWithWatches[]): Promise<DestinationLine[]> => {
    const [watched, health] = await Promise.all([
      operations.apps.storefronts(accountId),
      operations.hooks.health(accountId),
    ])
    return shown.map((hook) =>
      presentDestination(hook, watched, health.get(hook.id), operations.hooks.pausedReason(hook)),
    )
  }
  const one = async (hook: HookWithWatches): Promise<DestinationLine> => {
    const [line] = await all(hook.accountId, [hook])
    if (line === undefined) throw new Error('a hook has one line')
    return line
  }
  return { all, one }
}

function presentDestination(
  hook: HookWithWatches,
  watched: readonly WatchedApp[],
  figures: HookFigures | undefined,
  pausedReason: DestinationLine['pausedReason'],
): DestinationLine {
  return {
    id: hook.id,
    source: hook.source,
    editable: isEditable(hook),
    name: hook.name,
    description: hook.description,
    targetType: hook.targetType,
    targetUrl: hook.targetUrl,
    externalRef: hook.externalRef,
    status: hook.status,
    pausedReason,
    createdAt: hook.createdAt.toISOString(),
    watches: hook.watches.filter(({ setId }) => setId === null).map((watch) => presentWatch(watch, watched)),
    watchSets: hook.watchSets.map((set) => presentWatchSet(set, watched)),
    health: presentHealth(figures),
  }
}

function presentHealth(figures: HookFigures | undefined): DestinationHealth {
  return {
    delivered24h: figures?.delivered ?? 0,
    failedAttempts24h: figures?.failedAttempts ?? 0,
    successRate24h: figures === undefined ? null : successRate(figures),
    pending: figures?.pending ?? 0,
    dead: figures?.dead ?? 0,
    p50Ms: figures?.p50Ms ?? null,
    p95Ms: figures?.p95Ms ?? null,
    lastDeliveredAt: figures?.lastDeliveredAt?.toISOString() ?? null,
    breakerOpenUntil: figures?.breakerOpenUntil?.toISOString() ?? null,
    failingSince: figures?.failingSince?.toISOString() ?? null,
    perHour: figures?.perHour ?? Array.from({ length: 24 }, () => ({ delivered: 0, failed: 0 })),
  }
}
