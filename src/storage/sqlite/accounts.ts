import { type AccountRow, accountOf, TOKEN_COLUMNS, type TokenRow, tokenOf } from '../account-rows.ts'
import { TOKEN_USE_NOTED_MS } from '../intervals.ts'
import type { AccountStorage } from '../port/accounts.ts'
import { bytesOf, msOf } from '../values.ts'
import type { Connection } from './connect.ts'
import { isLocked } from './lock-queue.ts'

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

    createToken: async (token, sha256Hex) => {
      db.run(
        'insert into tokens (id, account_id, name, sha256, created_at) values (?, ?, ?, ?, ?)',
        token.id,
        token.accountId,
        token.name,
        bytesOf(sha256Hex),
        msOf(token.createdAt),
      )
    },

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

    tokenOf: async (sha256Hex, now) => {
      const row = db.get<TokenRow>(`select ${TOKEN_COLUMNS} from tokens where sha256 = ?`, bytesOf(sha256Hex))
      if (row === undefined) return null
      if (row.last_used_at !== null && row.last_used_at > msOf(now) - TOKEN_USE_NOTED_MS) return tokenOf(row)
      return noteUse(db, row.id, now) ? { ...tokenOf(row), lastUsedAt: now } : tokenOf(row)
    },
  }
}

/** False when the file is locked: then the next request notes it, for no reading request is to wait for that. */
function noteUse(db: Connection, tokenId: string, now: Date): boolean {
  try {
    db.run('update tokens set last_used_at = ? where id = ?', msOf(now), tokenId)
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}
