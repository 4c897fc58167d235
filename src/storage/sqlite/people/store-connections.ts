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
import type { Connection } from '../connect.ts'
import { leaveSource } from '../feeds/review-sources.ts'

const PLACES = CONNECTION_COLUMNS.replace(/\w+/g, '?')

export function storeConnectionStorage(db: Connection): StoreConnectionStorage {
  const get = (accountId: string, id: string) => {
    const row = db.get<ConnectionRow>(
      `select ${CONNECTION_COLUMNS} from store_connections where id = ? and account_id = ?`,
      id,
      accountId,
    )
    return row === undefined ? null : connectionOf(row)
  }
  const otherWith = (accountId: string, kind: string, subject: string, id: string) =>
    db.get(
      'select 1 from store_connections where account_id = ? and kind = ? and subject = ? and id <> ?',
      accountId,
      kind,
      subject,
      id,
    ) !== undefined
  return {
    create: async (connection, max) =>
      db.transaction(() => {
        const { id, accountId, kind, subject } = connection
        if (otherWith(accountId, kind, subject, id)) return false
        const { count } = db.get<{ count: number }>(
          'select count(*) as count from store_connections where account_id = ?',
          accountId,
        ) ?? { count: 0 }
        checkRoom('store connections', count, max)
        db.run(
          `insert into store_connections (${CONNECTION_COLUMNS}) values (${PLACES})`,
          ...connectionValues(connection),
        )
        return true
      }),

    list: async (accountId) =>
      db
        .all<ConnectionRow>(
          `select ${CONNECTION_COLUMNS} from store_connections where account_id = ? order by created_at, id`,
          accountId,
        )
        .map(connectionOf),

    get: async (accountId, id) => get(accountId, id),

    update: async (accountId, id, change) =>
      db.transaction(() => {
        const stored = get(accountId, id)
        if (stored === null) return 'missing'
        const changed = changedConnection(stored, change)
        if (otherWith(accountId, changed.kind, changed.subject, id)) return 'taken'
        db.run(
          `update store_connections set (${CONNECTION_COLUMNS}) = (${PLACES}) where id = ?`,
          ...connectionValues(changed),
          id,
        )
        return 'updated'
      }),

    remove: async (accountId, id, now) =>
      db.transaction(() => {
        const sources = db.all<SourceRow>(
          `select ${SOURCE_COLUMNS} from review_sources s where s.connection_id = ? and s.account_id = ?`,
          id,
          accountId,
        )
        for (const source of sources) leaveSource(db, source, msOf(now))
        db.run(
          detachReplies((index) => `?${index}`),
          id,
        )
        return db.run('delete from store_connections where id = ? and account_id = ?', id, accountId) > 0
      }),
  }
}
