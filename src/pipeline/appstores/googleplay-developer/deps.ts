import type { Clock } from '../../../runtime/clock.ts'
import type { KeyedRateLimit } from '../../../runtime/keyed-rate-limit.ts'
import type { SendDeps } from '../official/send.ts'
import type { TokenCache } from '../official/token-cache.ts'

export type GooglePlayState = SendDeps & {
  /** Base URLs without a trailing slash: the API, the token endpoint, Cloud Storage. */
  readonly baseUrl: string
  readonly oauthUrl: string
  readonly storageUrl: string
  readonly clock: Clock
  readonly tokens: TokenCache
  /** Reads of reviews, by account and app. */
  readonly reads: KeyedRateLimit
}

/** The names of Google's services in sentences. */
export const API = 'Google Play'
export const OAUTH = "Google's sign-in server"
export const STORAGE = 'Google Cloud Storage'
