import type { DestinationHealth, DestinationLine } from '../../contract/console/destinations.ts'
import type { HookWithWatches } from '../../model/hook.ts'
import type { WatchedApp } from '../../storage/port/hooks.ts'
import type { HookFigures } from '../../storage/port/insights.ts'
import { successRate } from './success-rate.ts'
import { presentWatch } from './watches.ts'

/** The source of hooks made here; only these are edited here. */
export const CONSOLE_SOURCE = 'console'

export function presentDestination(
  hook: HookWithWatches,
  watched: readonly WatchedApp[],
  figures: HookFigures | undefined,
): DestinationLine {
  return {
    id: hook.id,
    source: hook.source,
    editable: hook.source === CONSOLE_SOURCE,
    targetUrl: hook.targetUrl,
    externalRef: hook.externalRef,
    status: hook.status,
    createdAt: hook.createdAt.toISOString(),
    watches: hook.watches.map((watch) => presentWatch(watch, watched)),
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
    perHour: figures?.perHour ?? Array.from({ length: 24 }, () => ({ delivered: 0, failed: 0 })),
  }
}
