import {
  type AccountRow,
  accountOf,
  hasExpired,
  TOKEN_COLUMNS,
  type TokenRow,
  tokenOf,
  wasJustUsed,
} from '../../people/account-rows.ts'
import { checkRoom } from '../../people/account-usage.ts'
import type { AccountStorage } from '../../port/accounts.ts'
import { bytesOf, msOf, msOrNull } from '../../values.ts'
import type { Connection } from '../connect.ts'
import { isLocked } from '../lock-queue.ts'

export function accountStorage(db: Connection): AccountStorage {
  return {
    create: async (account) => {
      db.run(
        'insert into accounts (id, name, created_at) values (?, ?, ?)',
        account.id,
        account.name,
        msOf(account.createdAt),
      )
    },

    get: async (id) => {
      const row = db.get<AccountRow>('select id, name, created_at from accounts where id = ?', id)
      return row === undefined ? null : accountOf(row)
    },

    list: async () =>
      db.all<AccountRow>('select id, name, created_at from accounts order by created_at, id').map(accountOf),

    createToken: async (token, sha256Hex, max) =>
      db.transaction(() => {
        if (max !== undefined) checkRoom('tokens', countTokens(db, token.accountId), max)
        db.run(
          'insert into tokens (id, account_id, name, sha256, scopes, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)',
          token.id,
          token.accountId,
          token.name,
          bytesOf(sha256Hex),
          token.scopes.join(' '),
          msOf(token.createdAt),
          msOrNull(token.expiresAt),
        )
      }),

    listTokens: async (accountId) =>
      (accountId === null
        ? db.all<TokenRow>(`select ${TOKEN_COLUMNS} from tokens order by created_at desc, id desc`)
        : db.all<TokenRow>(
            `select ${TOKEN_COLUMNS} from tokens where account_id = ? order by created_at desc, id desc`,
            accountId,
          )
      ).map(tokenOf),

    revokeToken: async (accountId, id) =>
      db.run('delete from tokens where id = ?1 and (?2 is null or account_id = ?2)', id, accountId) > 0,

    tokenOf: async (sha256Hex, now, network) => {
      const row = db.get<TokenRow>(`select ${TOKEN_COLUMNS} from tokens where sha256 = ?`, bytesOf(sha256Hex))
      if (row === undefined || hasExpired(row, msOf(now))) return null
      if (wasJustUsed(row, msOf(now)) || !storeUse(db, row.id, now, network)) return tokenOf(row)
      return { ...tokenOf(row), lastUsedAt: now, lastUsedNetwork: network }
    },
  }
}

function countTokens(db: Connection, accountId: string): number {
  return (
    db.get<{ count: number }>('select count(*) as count from tokens where account_id = ?', accountId)
      ?.count ?? 0
  )
}

/** False when the file is locked: a later request stores the use, since a read must not wait for the lock. */
function storeUse(db: Connection, tokenId: string, now: Date, network: string): boolean {
  try {
    db.run(
      'update tokens set last_used_at = ?, last_used_network = ? where id = ?',
      msOf(now),
      network,
      tokenId,
    )
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}
