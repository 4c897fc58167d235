import { ATOM_FEED_COLUMNS, type AtomFeedRow, atomFeedOf } from '../../people/atom-feed-rows.ts'
import type { AtomFeedStorage } from '../../port/atom-feeds.ts'
import { checkRoom } from '../../tables/people/account-limits.ts'
import { bytesOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

export function atomFeedStorage(db: Connection): AtomFeedStorage {
  return {
    create: async (feed, sha256Hex, max) =>
      db.transaction(() => {
        const count = db.get<{ count: number }>(
          'select count(*) as count from atom_feeds where account_id = ?',
          feed.accountId,
        )
        checkRoom('atom feeds', count?.count ?? 0, max)
        db.run(
          'insert into atom_feeds (id, account_id, store, app_id, sha256, created_at) values (?, ?, ?, ?, ?, ?)',
          feed.id,
          feed.accountId,
          feed.store,
          feed.appId,
          bytesOf(sha256Hex),
          msOf(feed.createdAt),
        )
      }),

    list: async (accountId) =>
      db
        .all<AtomFeedRow>(
          `select ${ATOM_FEED_COLUMNS} from atom_feeds where account_id = ? order by created_at desc, id desc`,
          accountId,
        )
        .map(atomFeedOf),

    remove: async (accountId, id) =>
      db.run('delete from atom_feeds where id = ? and account_id = ?', id, accountId) > 0,

    find: async (sha256Hex) => {
      const row = db.get<AtomFeedRow>(
        `select ${ATOM_FEED_COLUMNS} from atom_feeds where sha256 = ?`,
        bytesOf(sha256Hex),
      )
      return row === undefined ? null : atomFeedOf(row)
    },
  }
}
