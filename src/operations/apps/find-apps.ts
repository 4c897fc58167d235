import type { Store, Storefront } from '../../model/vocabulary.ts'
import type { AppStore, AppsAnswer, Pace, StoreApp } from '../../pipeline/appstores/appstore.ts'
import { appTextOf } from './app-text.ts'
import type { SearchShare } from './search-share.ts'

/** A store and its rate limit, which searches share with polls of the whole installation, and of which they have a part. */
export type SearchedStore = {
  readonly client: Pick<AppStore, 'store' | 'search' | 'app'>
  readonly pace: Pace
  readonly share: SearchShare
  readonly block: (detail: string, retryAfterMs: number) => Promise<unknown>
  readonly answered: () => Promise<void>
}

export type AppQuery = {
  /** A name, a store link, an id or a package name. */
  readonly text: string
  readonly storefront: Storefront
  /** Default: all stores. */
  readonly store?: Store | undefined
}

export type FoundApps = {
  /** Best match first, store by store. */
  readonly apps: readonly StoreApp[]
  /** Stores that could not be searched, each with an error message. */
  readonly problems: readonly { readonly store: Store; readonly message: string }[]
}

/** The longest wait for a store, because a person waits for the result. */
const WAIT_MS = 5_000
/** Apps per store. */
const FOUND_MAX = 10

const NAMES: Readonly<Record<Store, string>> = { apple: 'The App Store', google: 'Google Play' }

type StoreAnswer = {
  readonly store: Store
  readonly apps: readonly StoreApp[]
  readonly problem: string | null
}

/** Finds the app of a link, an id or a package name, or the apps with a name in each searched store. */
export async function findApps(
  stores: readonly SearchedStore[],
  query: AppQuery & { readonly accountId: string },
): Promise<FoundApps> {
  const { text, storefront, accountId } = query
  const meant = appTextOf(text)
  const searched = stores.filter(({ client }) => query.store === undefined || client.store === query.store)
  let answers: StoreAnswer[] = []
  if (meant.kind === 'app') {
    const { appId } = meant
    answers = await Promise.all(
      searched
        .filter(({ client }) => client.store === meant.store)
        .map((store) =>
          request(store, accountId, (signal) => store.client.app({ appId, storefront }, store.pace, signal)),
        ),
    )
  }
  // Text that looks like a package name may be an app's name.
  if (meant.kind === 'words' || (!meant.sure && answers.every(({ apps }) => apps.length === 0))) {
    const search = { term: text, storefront, limit: FOUND_MAX }
    answers = await Promise.all(
      searched.map((store) =>
        request(store, accountId, (signal) => store.client.search(search, store.pace, signal)),
      ),
    )
  }
  return {
    apps: answers.flatMap(({ apps }) => apps),
    problems: answers.flatMap(({ store, problem }) =>
      problem === null ? [] : [{ store, message: `${NAMES[store]} ${problem}` }],
    ),
  }
}

/** Sends one request to a store. Waits at most `WAIT_MS` of real time for the rate limit and the answer together. */
async function request(
  store: SearchedStore,
  accountId: string,
  send: (signal: AbortSignal) => Promise<AppsAnswer>,
): Promise<StoreAnswer> {
  const answerOf = (apps: readonly StoreApp[], problem: string | null = null): StoreAnswer => ({
    store: store.client.store,
    apps,
    problem,
  })
  const waitMs = store.share.take(accountId)
  if (waitMs > 0) {
    return answerOf([], `is searched too often now. Try again in ${Math.ceil(waitMs / 1_000)} s.`)
  }
  const timeout = AbortSignal.timeout(WAIT_MS)
  const late = new Promise<'late'>((resolve) => {
    timeout.addEventListener('abort', () => resolve('late'), { once: true })
  })
  const answer = await Promise.race([send(timeout), late])
  if (answer === 'late') return answerOf([], 'did not answer in time. Try again in a moment.')
  if (answer.kind === 'ok') {
    await store.answered()
    return answerOf(answer.apps)
  }
  if (answer.kind === 'gone') return answerOf([])
  if (answer.kind === 'blocked') await store.block(answer.detail, answer.retryAfterMs ?? 0)
  return answerOf([], `could not be searched. ${answer.detail}`)
}
