import type { Range } from '../contract/console/overview.ts'
import { type Buckets, dayStarts, hourStarts } from '../model/days.ts'
import type { Clock } from '../runtime/clock.ts'
import type { MaintenanceStorage, Notice } from '../storage/port/maintenance.ts'
import type { Marks, OverviewFigures, ReportStorage } from '../storage/port/reports.ts'

export type { Marks, Notice, OverviewFigures }

export type OverviewDeps = {
  readonly reports: Pick<ReportStorage, 'marks' | 'overview'>
  readonly maintenance: Pick<MaintenanceStorage, 'notices'>
  readonly clock: Clock
}

const NOTICES_SHOWN = 8

/** The state of a whole account. */
export function overviewOperations({ reports, maintenance, clock }: OverviewDeps) {
  return {
    /** The figures of a range with the newest notices. The range of 24 hours does not depend on the zone. */
    async of(
      accountId: string,
      range: Range,
      zone: string,
    ): Promise<{ readonly figures: OverviewFigures; readonly notices: readonly Notice[] }> {
      const now = clock.now()
      const [figures, notices] = await Promise.all([
        reports.overview(accountId, bucketsOf(range, zone, now), now),
        maintenance.notices(accountId, { limit: NOTICES_SHOWN }),
      ])
      return { figures, notices }
    },

    /** A text for each kind of data, which differs when the data changed. */
    marks: (accountId: string): Promise<Marks> => reports.marks(accountId, clock.now()),
  }
}

/** Whole hours, or days of the zone, up to and including the current one. */
function bucketsOf(range: Range, zone: string, now: Date): Buckets {
  return range === '24h' ? hourStarts(now, 24) : dayStarts(now, range === '7d' ? 7 : 30, zone)
}
