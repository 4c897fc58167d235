import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { AppStore, AppsAnswer, Pace, StoreApp } from '../../pipeline/appstores/appstore.ts'
import { appTextOf } from './app-text.ts'

/** A store and its pace: searches count against the limits of polling, for the whole installation. */
export type SearchedStore = {
  readonly client: Pick<AppStore, 'store' | 'search' | 'app'>
  readonly pace: Pace
  readonly block: (detail: string, retryAfterMs: number) => Promise<unknown>
  readonly answered: () => Promise<void>
}

export type AppQuery = {
  /** A name, a store link, an id or a package name. */
  readonly text: string
  readonly storefront: Storefront
  /** Absent: all stores. */
  readonly store?: Store | undefined
}

export type FoundApps = {
  /** Best match first, store by store. */
  readonly apps: readonly StoreApp[]
  /** Stores that could not be searched, each with a sentence. */
  readonly problems: readonly { readonly store: Store; readonly message: string }[]
}

/** A person waits for the answer. */
const WAIT_MS = 5_000
/** Of one store. */
const FOUND_MAX = 10

const NAMES: Readonly<Record<Store, string>> = { apple: 'The App Store', google: 'Google Play' }

type StoreAnswer = {
  readonly store: Store
  readonly apps: readonly StoreApp[]
  readonly problem: string | null
}

/** The app of a link, an id or a package name, or the apps of a name in every store asked. */
export async function findApps(stores: readonly SearchedStore[], query: AppQuery): Promise<FoundApps> {
  const { text, storefront } = query
  const meant = appTextOf(text)
  const asked = stores.filter(({ client }) => query.store === undefined || client.store === query.store)
  let answers: StoreAnswer[] = []
  if (meant.kind === 'app') {
    const { appId } = meant
    answers = await Promise.all(
      asked
        .filter(({ client }) => client.store === meant.store)
        .map((store) => ask(store, (signal) => store.client.app({ appId, storefront }, store.pace, signal))),
    )
  }
  // What looks like a package name may be a name.
  if (meant.kind === 'words' || (!meant.sure && answers.every(({ apps }) => apps.length === 0))) {
    const search = { term: text, storefront, limit: FOUND_MAX }
    answers = await Promise.all(
      asked.map((store) => ask(store, (signal) => store.client.search(search, store.pace, signal))),
    )
  }
  return {
    apps: answers.flatMap(({ apps }) => apps),
    problems: answers.flatMap(({ store, problem }) =>
      problem === null ? [] : [{ store, message: `${NAMES[store]} ${problem}` }],
    ),
  }
}

/** One request to a store. Waiting for its pace and for its answer takes `WAIT_MS` of real time at most. */
async function ask(
  store: SearchedStore,
  request: (signal: AbortSignal) => Promise<AppsAnswer>,
): Promise<StoreAnswer> {
  const timeout = AbortSignal.timeout(WAIT_MS)
  const late = new Promise<'late'>((resolve) => {
    timeout.addEventListener('abort', () => resolve('late'), { once: true })
  })
  const answer = await Promise.race([request(timeout), late])
  const answered = (apps: readonly StoreApp[], problem: string | null = null): StoreAnswer => ({
    store: store.client.store,
    apps,
    problem,
  })
  if (answer === 'late') return answered([], 'did not answer in time. Try again in a moment.')
  if (answer.kind === 'ok') {
    await store.answered()
    return answered(answer.apps)
  }
  if (answer.kind === 'gone') return answered([])
  if (answer.kind === 'blocked') await store.block(answer.detail, answer.retryAfterMs ?? 0)
  return answered([], `could not be searched. ${answer.detail}`)
}
