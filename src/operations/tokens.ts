import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../model/ids.ts'
import { TOKEN_DAYS } from '../model/input-limits.ts'
import { DEFAULT_TOKEN_SCOPES, TOKEN_SCOPES, type TokenScope } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import { later } from '../runtime/instant.ts'
import type { AccountStorage, Token } from '../storage/port/accounts.ts'
import { nameOf } from './accounts/names.ts'
import { requireAccount } from './accounts/require-account.ts'
import { OperationError } from './error.ts'
import { requireInRange } from './in-range.ts'

export type { Token }

export type TokenDeps = {
  readonly accounts: Pick<AccountStorage, 'get' | 'listTokens' | 'createToken' | 'revokeToken' | 'tokenOf'>
  readonly clock: Clock
}

export type TokenInput = {
  readonly name: string
  /** Default: `DEFAULT_TOKEN_SCOPES`. */
  readonly scopes?: readonly TokenScope[] | undefined
  /** Default: the token does not expire. */
  readonly expiresInDays?: number | undefined
}

/** The prefix of every token. */
export const TOKEN_PREFIX = 'rsk_'

/** Longer than any token; a longer value is not hashed. */
const TOKEN_CHARS_MAX = 256
/** As many random bits as a signing secret. */
const TOKEN_BYTES = 32
const DAY_MS = 24 * 3_600_000
/** More than people can distinguish by name. */
const TOKENS_MAX = 100

/** API tokens. `accountId` null means all accounts, which only the operator's commands may use. */
export function tokenOperations({ accounts, clock }: TokenDeps) {
  return {
    /** Newest first. Throws `not_found` for an account that does not exist. */
    async list(accountId: string | null): Promise<Token[]> {
      if (accountId !== null) await requireAccount(accounts, accountId)
      return accounts.listTokens(accountId)
    },

    /**
     * Creates a token. Only this return value contains its value. Throws `invalid` for the name, the scopes or the expiry, `not_found` for
     * the account, and `conflict` when the account has `TOKENS_MAX` tokens.
     */
    async create(
      accountId: string,
      { name, scopes = DEFAULT_TOKEN_SCOPES, expiresInDays }: TokenInput,
    ): Promise<{ readonly token: Token; readonly value: string }> {
      const given = nameOf(name)
      if (scopes.length === 0) {
        const problem = `must have at least one of ${TOKEN_SCOPES.join(', ')}.`
        throw new OperationError('invalid', problem, { field: 'scopes' })
      }
      requireInRange('expiresInDays', expiresInDays, TOKEN_DAYS)
      await requireAccount(accounts, accountId)
      const value = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url')
      const createdAt = clock.now()
      const token = {
        id: newId('tok'),
        accountId,
        name: given,
        scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
        createdAt,
        expiresAt: expiresInDays === undefined ? null : later(createdAt, expiresInDays * DAY_MS),
      }
      await accounts.createToken(token, tokenHash(value), TOKENS_MAX)
      return { token: { ...token, lastUsedAt: null, lastUsedNetwork: null }, value }
    },

    /** The token with this value, used from `network` now. Null for an unknown, expired or revoked one. */
    find: async (value: string, network: string): Promise<Token | null> =>
      value.length > TOKEN_CHARS_MAX ? null : accounts.tokenOf(tokenHash(value), clock.now(), network),

    /** Revokes a token permanently, with immediate effect. Throws `not_found`. */
    async revoke(accountId: string | null, id: string): Promise<void> {
      if (await accounts.revokeToken(accountId, id)) return
      const who = accountId === null ? 'There is' : 'The account has'
      throw new OperationError('not_found', `${who} no token with this id.`)
    },
  }
}

/** SHA-256 in lowercase hex, which is what storage keeps of a token. A plain hash is enough because the value is random. */
export function tokenHash(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}
