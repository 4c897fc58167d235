import type { FoundApp, FoundApps } from '../../contract/console/apps.ts'
import { starsOf } from '../../model/decimal.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { AppStore, AppsAnswer, Pace, StoreApp } from '../../pipeline/appstores/appstore.ts'
import { appTextOf } from './app-text.ts'

/** A store and how politely to ask it: the limits are those of polling, for the whole installation. */
export type AskedStore = {
  readonly client: Pick<AppStore, 'store' | 'search' | 'app'>
  readonly pace: Pace
  readonly block: (detail: string, retryAfterMs: number) => Promise<unknown>
  readonly answered: () => Promise<void>
}

export type FindAppsDeps = { readonly stores: readonly AskedStore[] }

/** A person waits for it. */
const WAIT_MS = 5_000
const FOUND_MAX = 10

const NAMES: Readonly<Record<Store, string>> = { apple: 'The App Store', google: 'Google Play' }

type Found = { readonly apps: readonly StoreApp[]; readonly problem: string | null }

/** The app of a link, an id or a package name, or the apps of a name in every store asked, best match first. */
export async function findApps(
  { stores }: FindAppsDeps,
  query: { readonly text: string; readonly storefront: Storefront; readonly store?: Store | undefined },
): Promise<FoundApps & { readonly found: readonly StoreApp[] }> {
  const { text, storefront } = query
  const meant = appTextOf(text)
  const asked = stores.filter(({ client }) => query.store === undefined || client.store === query.store)
  let answers: (Found & { readonly store: Store })[] = []
  if (meant.kind === 'app') {
    const of = asked.filter(({ client }) => client.store === meant.store)
    answers = await Promise.all(
      of.map(async (store) => ({
        store: store.client.store,
        ...(await within(store, (signal) =>
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
        ...(await within(store, (signal) =>
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

/** One question to a store, which waits for its turn and its answer a few seconds of real time and no longer. */
async function within(
  store: AskedStore,
  answer: (signal: AbortSignal) => Promise<AppsAnswer>,
): Promise<Found> {
  const over = AbortSignal.timeout(WAIT_MS)
  const tooLong = new Promise<'late'>((resolve) => {
    over.addEventListener('abort', () => resolve('late'), { once: true })
  })
  const told = await Promise.race([answer(over), tooLong])
  if (told === 'late') return { apps: [], problem: 'has no time for us now. Try again in a moment.' }
  if (told.kind === 'ok') {
    await store.answered()
    return { apps: told.apps, problem: null }
  }
  if (told.kind === 'gone') return { apps: [], problem: null }
  if (told.kind === 'blocked') await store.block(told.detail, told.retryAfterMs ?? 0)
  return { apps: [], problem: `could not be searched. ${told.detail}` }
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
