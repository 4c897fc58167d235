import { TOKEN_SCOPES } from '../../model/vocabulary.ts'
import { TOKEN_USE_INTERVAL_MS } from '../feeds/intervals.ts'
import type { Account, Token } from '../port/accounts.ts'
import { dateOf, dateOrNull } from '../values.ts'

/** Rows of accounts and tokens, the same on both engines. */

export type AccountRow = { id: string; name: string; created_at: number }

export const TOKEN_COLUMNS =
  'id, account_id, name, scopes, created_at, expires_at, last_used_at, last_used_network'

export type TokenRow = {
  id: string
  account_id: string
  name: string
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  last_used_network: string | null
}

export function accountOf(row: AccountRow): Account {
  return { id: row.id, name: row.name, createdAt: dateOf(row.created_at) }
}

export function tokenOf(row: TokenRow): Token {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    scopes: TOKEN_SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
    createdAt: dateOf(row.created_at),
    expiresAt: dateOrNull(row.expires_at),
    lastUsedAt: dateOrNull(row.last_used_at),
    lastUsedNetwork: row.last_used_network,
  }
}

export function hasExpired(row: TokenRow, nowMs: number): boolean {
  return row.expires_at !== null && row.expires_at <= nowMs
}

/** Whether its use was stored within the last minute. */
export function wasJustUsed(row: TokenRow, nowMs: number): boolean {
  return row.last_used_at !== null && row.last_used_at > nowMs - TOKEN_USE_INTERVAL_MS
}
