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
import type { Database, Queries } from '../connect.ts'
import { lockAccounts } from './account-limits.ts'

export function accountStorage(db: Database): AccountStorage {
  return {
    create: async (account) => {
      await db.run(
        'insert into accounts (id, name, created_at) values ($1, $2, $3)',
        account.id,
        account.name,
        msOf(account.createdAt),
      )
    },

    get: async (id) => {
      const row = await db.get<AccountRow>('select id, name, created_at from accounts where id = $1', id)
      return row === undefined ? null : accountOf(row)
    },

    list: async () =>
      (await db.all<AccountRow>('select id, name, created_at from accounts order by created_at, id')).map(
        accountOf,
      ),

    createToken: async (token, sha256Hex, max) =>
      db.transaction(async (tx) => {
        if (max !== undefined) {
          await lockAccounts(tx, [token.accountId])
          checkRoom('tokens', await countTokens(tx, token.accountId), max)
        }
        await tx.run(
          'insert into tokens (id, account_id, name, sha256, scopes, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
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
        ? await db.all<TokenRow>(`select ${TOKEN_COLUMNS} from tokens order by created_at desc, id desc`)
        : await db.all<TokenRow>(
            `select ${TOKEN_COLUMNS} from tokens where account_id = $1 order by created_at desc, id desc`,
            accountId,
          )
      ).map(tokenOf),

    revokeToken: async (accountId, id) =>
      (await db.run(
        'delete from tokens where id = $1 and ($2::text is null or account_id = $2)',
        id,
        accountId,
      )) > 0,

    tokenOf: async (sha256Hex, now, network) => {
      const row = await db.get<TokenRow>(
        `select ${TOKEN_COLUMNS} from tokens where sha256 = $1`,
        bytesOf(sha256Hex),
      )
      if (row === undefined || hasExpired(row, msOf(now))) return null
      if (wasJustUsed(row, msOf(now))) return tokenOf(row)
      await db.run(
        'update tokens set last_used_at = $1, last_used_network = $2 where id = $3',
        msOf(now),
        network,
        row.id,
      )
      return { ...tokenOf(row), lastUsedAt: now, lastUsedNetwork: network }
    },
  }
}

async function countTokens(db: Queries, accountId: string): Promise<number> {
  const row = await db.get<{ count: number }>(
    'select count(*) as count from tokens where account_id = $1',
    accountId,
  )
  return row?.count ?? 0
}
