import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../runtime/clock.ts'
import type { Egress } from '../../../runtime/egress/egress.ts'
import { createSpacing } from '../official/spacing.ts'
import { createTokenCache } from '../official/token-cache.ts'
import type { AppStoreConnectCredentials, OfficialStore, StoreCredentials } from '../official.ts'
import { checkCredentials, reachedApps } from './apps.ts'
import type { KnownVersions } from './deps.ts'
import { deleteReply, reply } from './replies.ts'
import { historyPage, oneReview, reviewsPage } from './reviews.ts'
import { appVersionsOf } from './versions.ts'

export type AppStoreConnectDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** `https://api.appstoreconnect.apple.com`, or a simulated store. */
  readonly baseUrl: string
  /** Timeout of one request, 30 s by default. */
  readonly timeoutMs?: number
  /** Two public tools use 5,970, the default; Apple documents no limit. */
  readonly replyCharsMax?: number
}

/** Apple refuses keys with about 300 requests in a minute, although thousands of the hour are left. */
const PER_KEY = { burst: 5, intervalMs: 250 }
const REPLY_CHARS_MAX = 5_970
const VERSIONS_OF_APPS_MAX = 1_000

/** Apple's API for the owner of an app. It keeps tokens and the times of requests of each key. */
export function createAppStoreConnect(options: AppStoreConnectDeps): OfficialStore {
  const { egress, clock } = options
  const deps = {
    egress,
    clock,
    baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, ''),
    timeoutMs: options.timeoutMs ?? 30_000,
    tokens: createTokenCache(clock),
    spacing: createSpacing(clock, PER_KEY),
    replyCharsMax: options.replyCharsMax ?? REPLY_CHARS_MAX,
    versions: new LRUCache<string, KnownVersions>({ max: VERSIONS_OF_APPS_MAX }),
  }
  const own = <Q extends { readonly credentials: StoreCredentials }>(query: Q) => ({
    ...query,
    credentials: ownCredentials(query.credentials),
  })
  return {
    kind: 'appstoreconnect',
    store: 'apple',
    replyCharsMax: deps.replyCharsMax,
    repliesPerDayMax: null,
    listsApps: true,
    check: (query, context) => checkCredentials(deps, own(query), context),
    apps: ({ credentials }, context) => reachedApps(deps, ownCredentials(credentials), context),
    reviewsPage: (query, context) => reviewsPage(deps, own(query), context),
    appVersions: (query, context) => appVersionsOf(deps, own(query), context),
    review: (query, context) => oneReview(deps, own(query), context),
    reply: (query, context) => reply(deps, own(query), context),
    deleteReply: (query, context) => deleteReply(deps, own(query), context),
    history: (query, context) => historyPage(deps, own(query), context),
  }
}

function ownCredentials(credentials: StoreCredentials): AppStoreConnectCredentials {
  if (credentials.kind !== 'appstoreconnect')
    throw new TypeError('These are not App Store Connect credentials.')
  return credentials
}
