import { ATOM_FEED_COLUMNS, type AtomFeedRow, atomFeedOf } from '../../people/atom-feed-rows.ts'
import type { AtomFeedStorage } from '../../port/atom-feeds.ts'
import { checkRoom } from '../../tables/people/account-limits.ts'
import { bytesOf, msOf } from '../../values.ts'
import type { Database } from '../connect.ts'
import { lockAccounts } from './account-limits.ts'

export function atomFeedStorage(db: Database): AtomFeedStorage {
  return {
    create: async (feed, sha256Hex, max) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [feed.accountId])
        const count = await tx.get<{ count: number }>(
          'select count(*) as count from atom_feeds where account_id = $1',
          feed.accountId,
        )
        checkRoom('atom feeds', count?.count ?? 0, max)
        await tx.run(
          'insert into atom_feeds (id, account_id, store, app_id, sha256, created_at) values ($1, $2, $3, $4, $5, $6)',
          feed.id,
          feed.accountId,
          feed.store,
          feed.appId,
          bytesOf(sha256Hex),
          msOf(feed.createdAt),
        )
      }),

    list: async (accountId) =>
      (
        await db.all<AtomFeedRow>(
          `select ${ATOM_FEED_COLUMNS} from atom_feeds where account_id = $1 order by created_at desc, id desc`,
          accountId,
        )
      ).map(atomFeedOf),

    remove: async (accountId, id) =>
      (await db.run('delete from atom_feeds where id = $1 and account_id = $2', id, accountId)) > 0,

    find: async (sha256Hex) => {
      const row = await db.get<AtomFeedRow>(
        `select ${ATOM_FEED_COLUMNS} from atom_feeds where sha256 = $1`,
        bytesOf(sha256Hex),
      )
      return row === undefined ? null : atomFeedOf(row)
    },
  }
}
