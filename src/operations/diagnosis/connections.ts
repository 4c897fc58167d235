import { STORE_NAMES } from '../../contract/console/display-names.ts'
import type { Incident } from '../../model/incident.ts'
import type { ReviewSource } from '../../model/review-source.ts'
import { STORES } from '../../model/vocabulary.ts'
import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { ReviewSourceStorage } from '../../storage/port/review-sources.ts'
import { problem } from './finding.ts'

const DAY_MS = 24 * 3_600_000
/** Google shows only the last seven days, so two days are left to act. Apple shows everything later too. */
const STALE_MS = { apple: DAY_MS, google: 5 * DAY_MS } as const

/** Connected apps whose polls have failed for too long, of all accounts or of one. */
export async function staleConnections(
  { reviewSources }: { readonly reviewSources: Pick<ReviewSourceStorage, 'stale'> },
  clock: Pick<Clock, 'now'>,
  accountId: string | null = null,
): Promise<ReviewSource[]> {
  const found = await Promise.all(
    STORES.map((store) => reviewSources.stale(store, later(clock.now(), -STALE_MS[store]), accountId)),
  )
  return found.flat()
}

/** `whose`: after the name of the app, for a reader who sees several accounts. */
export function connectionIncident(source: ReviewSource, whose = ''): Incident {
  const { store, appId, accountId, lastOkAt, problem: reason } = source
  return problem(
    `connection ${accountId} ${store} ${appId}`,
    `The store connection of ${STORE_NAMES[store]} ${appId}${whose} has had no successful check. ${reason ?? 'No check is running.'}`,
    {
      since: lastOkAt,
      effect:
        store === 'google'
          ? 'Google Play shows only the last seven days. Older reviews arrive only with its monthly reports.'
          : 'No reviews are lost: the next successful check reads them.',
      handling: 'Checks are repeated.',
      action: 'Open the store connections, and replace the key if it was revoked.',
      page: '/stores',
    },
  )
}
