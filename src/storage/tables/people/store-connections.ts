import type { ConnectionCheck, ConnectionKind, StoreConnection } from '../../../model/store-connection.ts'
import { columns, instant, json, named, nullable, text, word } from '../../columns.ts'
import type { StoreConnectionStorage } from '../../port/store-connections.ts'
import { type Db, get, lock, run, type Work } from '../../work.ts'
import { leaveSourcesOf } from '../feeds/review-sources.ts'
import { detachReplies } from '../queue/replies.ts'
import { checkRoom, countOf, lockAccounts } from './account-limits.ts'

const CONNECTION = columns({
  id: text,
  accountId: text,
  kind: word<ConnectionKind>(),
  name: text,
  subject: text,
  credentials: text,
  createdAt: instant,
  rotatedAt: nullable(instant),
  check: {
    at: named('checked_at', instant),
    apps: named('apps', json<ConnectionCheck['apps']>()),
    rights: named('rights', json<ConnectionCheck['rights']>()),
    warnings: named('warnings', json<ConnectionCheck['warnings']>()),
    problem: named('problem', nullable(text)),
  },
})

export function storeConnectionStorage(db: Db): StoreConnectionStorage {
  return {
    create: (connection, max) =>
      db.transaction(function* () {
        const { accountId } = connection
        yield* lockAccounts([accountId])
        if (yield* isTaken(connection)) return false
        checkRoom('store connections', yield* countOf('store_connections', accountId), max)
        yield* CONNECTION.insert('store_connections', connection)
        return true
      }),

    list: (accountId) =>
      db.alone(
        CONNECTION.all('from store_connections where account_id = ?1 order by created_at, id', accountId),
      ),

    get: (accountId, id) => db.alone(find(accountId, id)),

    update: (accountId, id, change) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        const stored = yield* find(accountId, id)
        if (stored === null) return 'missing'
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const changed: StoreConnection = { ...stored, ...given }
        if (yield* isTaken(changed)) return 'taken'
        yield* CONNECTION.update('store_connections', changed, 'id = ?1', id)
        return 'updated'
      }),

    remove: (accountId, id, now) =>
      db.transaction(function* () {
        // Waits for a change to this connection that is being committed.
        yield* lock('select 1 from store_connections where id = ?1 for update', id)
        yield* leaveSourcesOf(id, accountId, now)
        yield* detachReplies(id, accountId)
        const removed = yield* run(
          'delete from store_connections where id = ?1 and account_id = ?2',
          id,
          accountId,
        )
        return removed > 0
      }),
  }
}

function find(accountId: string, id: string): Work<StoreConnection | null> {
  return CONNECTION.find('from store_connections where id = ?1 and account_id = ?2', id, accountId)
}

/** Whether another connection of the account has this kind and subject. */
function* isTaken({ accountId, kind, subject, id }: StoreConnection): Work<boolean> {
  const other =
    'select 1 from store_connections where account_id = ?1 and kind = ?2 and subject = ?3 and id <> ?4'
  return (yield* get(other, accountId, kind, subject, id)) !== undefined
}
