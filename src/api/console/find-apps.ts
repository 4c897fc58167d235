import type { FoundApp, FoundApps } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { AppStore, AppsAnswer, Pace, StoreApp } from '../../pipeline/appstores/appstore.ts'
import type { Clock } from '../../runtime/clock.ts'
import { appTextOf } from './app-text.ts'

/** A store and how politely to ask it: the limits are those of polling, for the whole installation. */
export type AskedStore = {
  readonly client: Pick<AppStore, 'store' | 'search' | 'app'>
  readonly pace: Pace
  readonly block: (detail: string, retryAfterMs: number) => Promise<unknown>
  readonly answered: () => Promise<void>
}

export type FindAppsDeps = { readonly stores: readonly AskedStore[]; readonly clock: Clock }

/** A person waits for it. */
const WAIT_MS = 5_000
const FOUND_MAX = 10

const NAMES: Readonly<Record<Store, string>> = { apple: 'The App Store', google: 'Google Play' }

type Found = { readonly apps: readonly StoreApp[]; readonly problem: string | null }

/** The app of a link, an id or a package name, or the apps of a name in every store asked, best match first. */
export async function findApps(
  { stores, clock }: FindAppsDeps,
  query: { readonly text: string; readonly storefront: Storefront; readonly store?: Store | undefined },
): Promise<FoundApps & { readonly found: readonly StoreApp[] }> {
  const { text, storefront } = query
  const meant = appTextOf(text)
  const asked = stores.filter(({ client }) => query.store === undefined || client.store === query.store)
  const ask = (store: AskedStore, answer: (signal: AbortSignal) => Promise<AppsAnswer>) =>
    within(store, answer, clock)

  let answers: (Found & { readonly store: Store })[] = []
  if (meant.kind === 'app') {
    const of = asked.filter(({ client }) => client.store === meant.store)
    answers = await Promise.all(
      of.map(async (store) => ({
        store: store.client.store,
        ...(await ask(store, (signal) =>
          store.client.app({ appId: meant.appId, storefront }, store.pace, signal),
        )),
      })),
    )
  }
  // What looks like a package name may be a name.
  if (meant.kind === 'words' || (!meant.sure && answers.every(({ apps }) => apps.length === 0))) {
    answers = await Promise.all(
      asked.map(async (store) => ({
        store: store.client.store,
        ...(await ask(store, (signal) =>
          store.client.search({ term: text, storefront, limit: FOUND_MAX }, store.pace, signal),
        )),
      })),
    )
  }
  const found = answers.flatMap(({ apps }) => apps)
  return {
    found,
    apps: found.map(presentFound),
    problems: answers.flatMap(({ store, problem }) =>
      problem === null ? [] : [{ store, message: `${NAMES[store]} ${problem}` }],
    ),
  }
}

/** One question to a store, which waits for its turn and its answer a few seconds and no longer. */
async function within(
  store: AskedStore,
  answer: (signal: AbortSignal) => Promise<AppsAnswer>,
  clock: Clock,
): Promise<Found> {
  const over = new AbortController()
  const tooLong = clock.sleep(WAIT_MS, over.signal).then((): 'late' => 'late')
  try {
    const told = await Promise.race([answer(over.signal), tooLong])
    if (told === 'late') return { apps: [], problem: 'has no time for us now. Try again in a moment.' }
    if (told.kind === 'ok') {
      await store.answered()
      return { apps: told.apps, problem: null }
    }
    if (told.kind === 'gone') return { apps: [], problem: null }
    if (told.kind === 'blocked') await store.block(told.detail, told.retryAfterMs ?? 0)
    return { apps: [], problem: `gave no answer: ${told.detail}` }
  } finally {
    over.abort()
  }
}

function presentFound(app: StoreApp): FoundApp {
  const { store, appId, name, developer, iconUrl, rating } = app
  return {
    store,
    appId,
    name,
    developer,
    iconUrl,
    rating: rating === null ? null : starsOf(rating.micros),
    ratingCount: rating?.count ?? null,
  }
}
