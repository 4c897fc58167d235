import type { Attempt } from '../../model/delivery.ts'
import { nextFirstReviewsAt } from '../../model/first-reviews.ts'
import type { Hook, HookWithWatches } from '../../model/hook.ts'
import { mayFollowWork, redirectsAfterWork } from '../../model/redirects.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { DeliveryStorage } from '../../storage/port/deliveries.ts'
import type { MaintenanceStorage, Notice } from '../../storage/port/maintenance.ts'
import type { HookFigures, ReportStorage } from '../../storage/port/reports.ts'
import type { SourceHealthStorage } from '../../storage/port/source-health.ts'

export type { HookFigures }

export type HookActivityDeps = {
  readonly deliveries: Pick<DeliveryStorage, 'list' | 'tests'>
  readonly maintenance: Pick<MaintenanceStorage, 'notices'>
  readonly reports: Pick<ReportStorage, 'hookHealth'>
  readonly sourceHealth: Pick<SourceHealthStorage, 'list'>
  readonly clock: Clock
}

export type HookTest = { readonly attempt: Attempt; readonly body: string }

const NOTICES_SHOWN = 50

/** What happened to hooks. */
export function hookActivityOperations(deps: HookActivityDeps) {
  const { deliveries, maintenance, reports, sourceHealth, clock } = deps
  return {
    /** Figures by the id of the hook; a hook without deliveries is absent. */
    health: (accountId: string): Promise<ReadonlyMap<string, HookFigures>> =>
      reports.hookHealth(accountId, clock.now()),

    /** Newest first. */
    notices: (accountId: string, hookId: string): Promise<readonly Notice[]> =>
      maintenance.notices(accountId, { hookId, limit: NOTICES_SHOWN }),

    /** Test events of a hook, newest first. */
    tests: (accountId: string, hookId: string): Promise<readonly HookTest[]> =>
      deliveries.tests(accountId, hookId),

    /** When a new watch of the hook probably gets its first reviews; null when none waits for them. */
    firstReviewsAt: async (hook: HookWithWatches): Promise<Date | null> =>
      nextFirstReviewsAt(hook, await sourceHealth.list(), clock.now()),

    /** Whether the receiver is known to answer with a redirect after its work, or did so, and the hook does not accept it. */
    async offersRedirect({ accountId, id, redirect, targetUrl }: Hook): Promise<boolean> {
      if (redirect !== 'fail') return false
      if (redirectsAfterWork(targetUrl)) return true
      const [[failed], [test]] = await Promise.all([
        deliveries.list(accountId, { hookId: id, reason: 'redirect' }, { limit: 1, before: null }),
        deliveries.tests(accountId, id),
      ])
      return [failed?.lastHttpStatus, test?.attempt.httpStatus].some((status) => mayFollowWork(status ?? 0))
    },
  }
}
