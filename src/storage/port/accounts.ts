import type { TokenScope } from '../../model/vocabulary.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'

export type Account = { readonly id: string; readonly name: string; readonly createdAt: Date }

export type Token = {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: Date
  /** Null: never. */
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  /** The network of the last client, such as `203.0.113.0/24`. */
  readonly lastUsedNetwork: string | null
}

export type NewToken = WithInstants<Omit<Token, 'lastUsedAt' | 'lastUsedNetwork'>>

/** `more`: rows were deleted. `waiting`: a request in flight keeps its delivery. `empty`: only members and the account itself are left. */
export type DeletionStep = 'more' | 'waiting' | 'empty'

export type AccountStorage = {
  readonly create: (account: WithInstants<Account>) => Promise<void>
  readonly get: (id: string) => Promise<Account | null>
  /** False when there is no such account. */
  readonly rename: (id: string, name: string) => Promise<boolean>
  /** Oldest first. */
  readonly list: () => Promise<Account[]>
  /**
   * Begins to delete the account, in one commit: its members can no longer sign in, its tokens, Atom feeds and invitations are gone, and
   * its hooks are deleted. False when there is no such account, or its deletion has begun before.
   */
  readonly beginDeletion: (id: string, now: Instant) => Promise<boolean>
  /** False when there is no such account, or its deletion has begun. */
  readonly isActive: (id: string) => Promise<boolean>
  /** The accounts whose deletion has begun and not ended. */
  readonly deletions: () => Promise<string[]>
  /** Deletes at most `limit` rows of such an account in one commit. Reviews and feeds of the public stores stay. */
  readonly deletionStep: (id: string, now: Instant, limit: number) => Promise<DeletionStep>
  /** Deletes the members and the account after the last step. The caller removed the users who belong to no other account. */
  readonly endDeletion: (id: string) => Promise<void>
  /**
   * Stores only the SHA-256 of the value (docs/contract.md, Tokens). Throws `LimitReached` when the account has `max`
   * tokens; the same commit counts them.
   */
  readonly createToken: (token: NewToken, sha256Hex: string, max?: number) => Promise<void>
  /** Newest first. With `accountId` null of every account (the operator's command). */
  readonly listTokens: (accountId: string | null) => Promise<Token[]>
  /** False when the account has no such token. With `accountId` null for every account. */
  readonly revokeToken: (accountId: string | null, id: string) => Promise<boolean>
  /**
   * The token with this hash; null if there is none or it has expired. Stores time and network of its use at most once
   * per minute.
   */
  readonly tokenOf: (sha256Hex: string, now: Instant, network: string) => Promise<Token | null>
}
