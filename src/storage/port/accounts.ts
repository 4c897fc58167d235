import type { TokenScope } from '../../model/vocabulary.ts'

export type Account = { readonly id: string; readonly name: string; readonly createdAt: Date }

export type Token = {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly createdAt: Date
  /** Null: it does not expire. */
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  /** Of the client that used it last, such as `203.0.113.0/24`. */
  readonly lastUsedNetwork: string | null
}

export type NewToken = Omit<Token, 'lastUsedAt' | 'lastUsedNetwork'>

export type AccountStorage = {
  readonly create: (account: Account) => Promise<void>
  readonly get: (id: string) => Promise<Account | null>
  /** Oldest first. */
  readonly list: () => Promise<Account[]>
  /**
   * Stores only the SHA-256 of the value (docs/contract.md, Tokens). Throws `LimitReached` when the account has `max` tokens;
   * the count is part of the commit.
   */
  readonly createToken: (token: NewToken, sha256Hex: string, max?: number) => Promise<void>
  /** Newest first; of every account when `accountId` is null (the operator's command). */
  readonly listTokens: (accountId: string | null) => Promise<Token[]>
  /** False when the account has no such token; every account's when `accountId` is null. */
  readonly revokeToken: (accountId: string | null, id: string) => Promise<boolean>
  /** The token with this hash; null for none and for an expired one. Stores time and network of use at most once a minute. */
  readonly tokenOf: (sha256Hex: string, now: Date, network: string) => Promise<Token | null>
}
