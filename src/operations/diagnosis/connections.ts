import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, problem } from './finding.ts'

const DAY_MS = 24 * 3_600_000
/** Google shows only the last seven days, so two days are left to act. Apple shows everything later too. */
const STALE_MS = { apple: DAY_MS, google: 5 * DAY_MS } as const

/** Connected apps whose polls have failed for too long. */
export async function* connectionFindings(
  { reviewSources }: Pick<Storage, 'reviewSources'>,
  clock: Clock,
): AsyncGenerator<Finding> {
  for (const store of ['apple', 'google'] as const) {
    const since = later(clock.now(), -STALE_MS[store])
    for (const { appId, accountId, lastOkAt, problem: reason } of await reviewSources.stale(store, since)) {
      const last =
        lastOkAt === null ? 'never polled successfully' : `last successful poll ${lastOkAt.toISOString()}`
      const loss =
        store === 'google'
          ? ' Google shows reviews for seven days only: later ones come only with its monthly reports.'
          : ''
      yield problem(
        `${store} ${appId}, store connection of the account ${accountId}: ${last}. ${reason ?? 'No poll is under way.'}${loss}`,
      )
    }
  }
}
