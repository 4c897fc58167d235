import type { Account, Token } from '../port/accounts.ts'
import { dateOf, dateOrNull } from '../values.ts'

/** Rows of accounts and tokens, the same on both engines. */

export type AccountRow = { id: string; name: string; created_at: number }

export const TOKEN_COLUMNS = 'id, account_id, name, created_at, last_used_at'

export type TokenRow = {
  id: string
  account_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

export function accountOf(row: AccountRow): Account {
  return { id: row.id, name: row.name, createdAt: dateOf(row.created_at) }
}

export function tokenOf(row: TokenRow): Token {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    createdAt: dateOf(row.created_at),
    lastUsedAt: dateOrNull(row.last_used_at),
  }
}
