import type { Clock } from '../../../runtime/clock.ts'
import type { Egress } from '../../../runtime/egress/egress.ts'
import { createKeyedRateLimit } from '../../../runtime/keyed-rate-limit.ts'
import { failed } from '../official/failure.ts'
import { createTokenCache } from '../official/token-cache.ts'
import type { GooglePlayCredentials, OfficialStore, StoreCredentials } from '../official.ts'
import { checkCredentials } from './check.ts'
import { historyPage } from './history.ts'
import { REPLY_CHARS_MAX, reply } from './replies.ts'
import { oneReview, reviewsPage } from './reviews.ts'

export type GooglePlayDeps = {
  readonly egress: Egress
  readonly clock: Clock
  /** `https://androidpublisher.googleapis.com`, or a simulated store. */
  readonly baseUrl: string
  /** `https://oauth2.googleapis.com`, or a simulated store. */
  readonly oauthUrl: string
  /** `https://storage.googleapis.com`, or a simulated store. */
  readonly storageUrl: string
  /** Timeout of one request, 30 s by default. */
  readonly timeoutMs?: number
  /** 2,000 by default, as documented. */
  readonly repliesPerDayMax?: number
}

/** 200 reads in any hour: 100 at once and 100 spread over the hour. */
const READS_PER_APP = { max: 100, windowMs: 60 * 60_000 }

const REPLIES_PER_DAY_MAX = 2_000

/** Google's API for the owner of an app. It keeps tokens and the number of reads of each app. */
export function createGooglePlayDeveloper(options: GooglePlayDeps): OfficialStore {
  const { egress, clock } = options
  const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')
  const deps = {
    egress,
    clock,
    baseUrl: withoutSlash(options.baseUrl),
    oauthUrl: withoutSlash(options.oauthUrl),
    storageUrl: withoutSlash(options.storageUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    tokens: createTokenCache(clock),
    reads: createKeyedRateLimit({ ...READS_PER_APP, clock }),
  }
  const own = <Q extends { readonly credentials: StoreCredentials }>(query: Q) => ({
    ...query,
    credentials: ownCredentials(query.credentials),
  })
  return {
    kind: 'googleplay-developer',
    store: 'google',
    replyCharsMax: REPLY_CHARS_MAX,
    repliesPerDayMax: options.repliesPerDayMax ?? REPLIES_PER_DAY_MAX,
    listsApps: false,
    check: (query, context) => checkCredentials(deps, own(query), context),
    apps: async () =>
      failed('unsupported', 'Google Play cannot list apps: add the package names of your apps.', {
        field: 'app_id',
      }),
    reviewsPage: (query, context) => reviewsPage(deps, own(query), context),
    appVersions: async () => new Map(),
    review: (query, context) => oneReview(deps, own(query), context),
    reply: (query, context) => reply(deps, own(query), context),
    deleteReply: async () =>
      failed('unsupported', 'Google Play cannot delete a reply. Replace it with another text instead.'),
    history: (query, context) => historyPage(deps, own(query), context),
  }
}

function ownCredentials(credentials: StoreCredentials): GooglePlayCredentials {
  if (credentials.kind !== 'googleplay-developer') {
    throw new TypeError('These are not Google Play credentials.')
  }
  return credentials
}
