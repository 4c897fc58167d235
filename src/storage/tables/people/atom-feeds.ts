import type { Store } from '../../../model/vocabulary.ts'
import { columns, instant, sha256, text, word } from '../../columns.ts'
import type { AtomFeedStorage } from '../../port/atom-feeds.ts'
import { bytesOf } from '../../values.ts'
import { type Db, run } from '../../work.ts'
import { checkRoom, countOf, lockAccounts } from './account-limits.ts'

const FEED = columns({ id: text, accountId: text, store: word<Store>(), appId: text, createdAt: instant })

const SECRET_FEED = columns({ ...FEED.shape, sha256 })

export function atomFeedStorage(db: Db): AtomFeedStorage {
  return {
    create: (feed, sha256Hex, max) =>
      db.transaction(function* () {
        yield* lockAccounts([feed.accountId])
        checkRoom('atom feeds', yield* countOf('atom_feeds', feed.accountId), max)
        yield* SECRET_FEED.insert('atom_feeds', { ...feed, sha256: sha256Hex })
      }),

    list: (accountId) =>
      db.alone(
        FEED.all('from atom_feeds where account_id = ?1 order by created_at desc, id desc', accountId),
      ),

    async remove(accountId, id) {
      const remove = 'delete from atom_feeds where id = ?1 and account_id = ?2'
      return (await db.alone(run(remove, id, accountId))) > 0
    },

    find: (sha256Hex) => db.alone(FEED.find('from atom_feeds where sha256 = ?1', bytesOf(sha256Hex))),
  }
}
