import { STORE_NAMES } from '../../contract/console/display-names.ts'
import type { Incident } from '../../model/incident.ts'
import type { Store } from '../../model/vocabulary.ts'
import type { AppStore } from '../../pipeline/appstores/appstore.ts'
import { createStorePace } from '../../pipeline/collect/pace.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, ok, problem } from './finding.ts'

const PROBE_MS_MAX = 30_000
/** A search term that finds apps in every store. */
const PROBE_TERM = 'notes'

export async function storeFinding(
  requestsPerMinute: number,
  storage: Storage,
  appStore: AppStore,
  clock: Clock,
): Promise<Finding> {
  const { store } = appStore
  const pace = createStorePace(
    { storage: storage.pace, clock, random: Math.random },
    store,
    requestsPerMinute,
  )
  const blockedUntil = await pace.blockedUntil()
  if (blockedUntil !== null) {
    return blockIncident(store, blockedUntil)
  }
  const answer = await appStore.search(
    { term: PROBE_TERM, storefront: 'us', limit: 1 },
    pace.pace,
    AbortSignal.timeout(PROBE_MS_MAX),
  )
  return answer.kind === 'ok'
    ? ok(`${store} answers.`)
    : problem(`store ${store}`, `${store} returned an unexpected answer: ${answer.kind} (${answer.detail}).`)
}

/** While no request is sent to a store. */
export function blockIncident(store: Store, until: Date): Incident {
  return problem(`block of ${store}`, `${STORE_NAMES[store]} blocks requests.`, {
    effect: 'New reviews and ratings of this store are delayed.',
    handling: `The next request is sent after ${until.toISOString()}.`,
    page: '/system',
  })
}
