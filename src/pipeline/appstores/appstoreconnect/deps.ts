import type { LRUCache } from 'lru-cache'
import type { Clock } from '../../../runtime/clock.ts'
import type { SendDeps } from '../official/send.ts'
import type { Spacing } from '../official/spacing.ts'
import type { TokenCache } from '../official/token-cache.ts'

export type AppStoreConnectState = SendDeps & {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly tokens: TokenCache
  readonly spacing: Spacing
  readonly replyCharsMax: number
  /** The newest versions of apps, by key id and app id. */
  readonly versions: LRUCache<string, KnownVersions>
}

export type AppVersion = { readonly id: string; readonly name: string; readonly createdAtMs: number }

export type KnownVersions = { readonly versions: readonly AppVersion[]; readonly untilMs: number }

/** The name of the store in sentences. */
export const API = 'App Store Connect'
