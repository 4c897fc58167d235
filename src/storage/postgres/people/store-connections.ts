import {
  CONNECTION_COLUMNS,
  type ConnectionRow,
  changedConnection,
  connectionOf,
  connectionValues,
} from '../../connections/connection-rows.ts'
import type { StoreConnectionStorage } from '../../port/store-connections.ts'
import { detachReplies } from '../../replies/reply-sql.ts'
import { SOURCE_COLUMNS, type SourceRow } from '../../sources/source-rows.ts'
import { checkRoom } from '../../tables/people/account-limits.ts'
import { msOf } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'
import { lockFeedsOf } from '../feeds/coverage.ts'
import { leaveSource } from '../feeds/review-sources.ts'
import { lockAccounts } from './account-limits.ts'

const COLUMNS = CONNECTION_COLUMNS.split(',')
const PLACES = COLUMNS.map((_, index) => `$${index + 1}`).join(', ')

export function storeConnectionStorage(db: Database): StoreConnectionStorage {
  const get = async (tx: Pick<Transaction, 'get'>, accountId: string, id: string) => {
    const row = await tx.get<ConnectionRow>(
      `select ${CONNECTION_COLUMNS} from store_connections where id = $1 and account_id = $2`,
      id,
      accountId,
    )
    return row === undefined ? null : connectionOf(row)
  }
  const otherWith = async (tx: Transaction, accountId: string, kind: string, subject: string, id: string) =>
    (await tx.get(
      'select 1 from store_connections where account_id = $1 and kind = $2 and subject = $3 and id <> $4',
      accountId,
      kind,
      subject,
      id,
    )) !== undefined
  return {
    create: async (connection, max) =>
      db.transaction(async (tx) => {
        const { id, accountId, kind, subject } = connection
        await lockAccounts(tx, [accountId])
        if (await otherWith(tx, accountId, kind, subject, id)) return false
        const { count } = (await tx.get<{ count: number }>(
          'select count(*) as count from store_connections where account_id = $1',
          accountId,
        )) ?? { count: 0 }
        checkRoom('store connections', count, max)
        await tx.run(
          `insert into store_connections (${CONNECTION_COLUMNS}) values (${PLACES})`,
          ...connectionValues(connection),
        )
        return true
      }),

    list: async (accountId) =>
      (
        await db.all<ConnectionRow>(
          `select ${CONNECTION_COLUMNS} from store_connections where account_id = $1 order by created_at, id`,
          accountId,
        )
      ).map(connectionOf),

    get: (accountId, id) => get(db, accountId, id),

    update: (accountId, id, change) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [accountId])
        const stored = await get(tx, accountId, id)
        if (stored === null) return 'missing'
        const changed = changedConnection(stored, change)
        if (await otherWith(tx, accountId, changed.kind, changed.subject, id)) return 'taken'
        await tx.run(
          `update store_connections set (${CONNECTION_COLUMNS}) = (${PLACES}) where id = $${COLUMNS.length + 1}`,
          ...connectionValues(changed),
          id,
        )
        return 'updated'
      }),

    remove: (accountId, id, now) =>
      db.transaction(async (tx) => {
        const sourcesOf = (lock: string) =>
          tx.all<SourceRow>(
            `select ${SOURCE_COLUMNS} from review_sources s where s.connection_id = $1 and s.account_id = $2
             order by s.id ${lock}`,
            id,
            accountId,
          )
        // Waits for a change to this connection that is being committed.
        await tx.get('select 1 from store_connections where id = $1 for update', id)
        const apps = (await sourcesOf('')).map((row) => ({ store: row.store, appId: row.app_id }))
        await lockFeedsOf(tx, apps)
        for (const source of await sourcesOf('for update')) await leaveSource(tx, source, msOf(now))
        await tx.run(
          detachReplies((index) => `$${index}`),
          id,
        )
        return (
          (await tx.run('delete from store_connections where id = $1 and account_id = $2', id, accountId)) > 0
        )
      }),
  }
}
