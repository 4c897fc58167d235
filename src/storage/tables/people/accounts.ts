import { TOKEN_SCOPES, type TokenScope } from '../../../model/vocabulary.ts'
import { type Column, columns, instant, nullable, sha256, text } from '../../columns.ts'
import type { AccountStorage } from '../../port/accounts.ts'
import { DiskFull, StorageLocked } from '../../port/errors.ts'
import { bytesOf, msOf } from '../../values.ts'
import { all, type Db, get, run } from '../../work.ts'
import { beginDeletion, deletionStep, endDeletion } from './account-deletion.ts'
import { checkRoom, countOf, lockAccounts } from './account-limits.ts'

export const ACCOUNT = columns({ id: text, name: text, createdAt: instant })

const scopes: Column<readonly TokenScope[]> = {
  read: (stored) => TOKEN_SCOPES.filter((scope) => String(stored).split(' ').includes(scope)),
  store: (value) => value.join(' '),
  type: 'text',
}

const NEW_TOKEN = columns({
  id: text,
  accountId: text,
  name: text,
  sha256,
  scopes,
  createdAt: instant,
  expiresAt: nullable(instant),
})

const TOKEN = columns({
  id: text,
  accountId: text,
  name: text,
  scopes,
  createdAt: instant,
  expiresAt: nullable(instant),
  lastUsedAt: nullable(instant),
  lastUsedNetwork: nullable(text),
})

/** The minimum time between two stored uses of a token. */
const USE_INTERVAL_MS = 60_000

export function accountStorage(db: Db): AccountStorage {
  return {
    async create(account) {
      await db.alone(ACCOUNT.insert('accounts', account))
    },

    get: (id) => db.alone(ACCOUNT.find('from accounts where id = ?1', id)),

    async rename(id, name) {
      return (await db.alone(run('update accounts set name = ?1 where id = ?2', name, id))) > 0
    },

    list: () => db.alone(ACCOUNT.all('from accounts order by created_at, id')),

    async isActive(id) {
      const active = 'select 1 from accounts where id = ?1 and deleted_at is null'
      return (await db.alone(get(active, id))) !== undefined
    },

    beginDeletion: (id, now) => db.transaction(() => beginDeletion(id, now)),

    async deletions() {
      const rows = await db.alone(
        all<{ id: string }>('select id from accounts where deleted_at is not null order by id'),
      )
      return rows.map(({ id }) => id)
    },

    deletionStep: (id, now, limit) => db.transaction(() => deletionStep(id, now, limit)),

    endDeletion: (id) => db.transaction(() => endDeletion(id)),

    createToken: (token, sha256Hex, max) =>
      db.transaction(function* () {
        if (max !== undefined) {
          yield* lockAccounts([token.accountId])
          checkRoom('tokens', yield* countOf('tokens', token.accountId), max)
        }
        yield* NEW_TOKEN.insert('tokens', { ...token, sha256: sha256Hex })
      }),

    listTokens: (accountId) =>
      db.alone(
        accountId === null
          ? TOKEN.all('from tokens order by created_at desc, id desc')
          : TOKEN.all('from tokens where account_id = ?1 order by created_at desc, id desc', accountId),
      ),

    async revokeToken(accountId, id) {
      const remove = 'delete from tokens where id = ?1 and (cast(?2 as text) is null or account_id = ?2)'
      return (await db.alone(run(remove, id, accountId))) > 0
    },

    tokenOf: (sha256Hex, now, network) => db.alone(usedToken(sha256Hex, now, network)),
  }
}

function* usedToken(sha256Hex: string, now: Date, network: string) {
  const token = yield* TOKEN.find('from tokens where sha256 = ?1', bytesOf(sha256Hex))
  if (token === null || (token.expiresAt !== null && token.expiresAt <= now)) return null
  if (token.lastUsedAt !== null && msOf(token.lastUsedAt) > msOf(now) - USE_INTERVAL_MS) return token
  const update = 'update tokens set last_used_at = ?1, last_used_network = ?2 where id = ?3'
  try {
    yield* run(update, msOf(now), network, token.id)
  } catch (error) {
    // A later request stores the use, since a read must not wait for the lock on the file or for space.
    if (error instanceof StorageLocked || error instanceof DiskFull) return token
    throw error
  }
  return { ...token, lastUsedAt: now, lastUsedNetwork: network }
}
