import { columns, instant, json, text } from '../../columns.ts'
import type { SavedViewStorage } from '../../port/saved-views.ts'
import { type Db, get, run } from '../../work.ts'
import { checkRoom, countOf, lockAccounts } from './account-limits.ts'

const VIEW = columns({
  id: text,
  accountId: text,
  name: text,
  filters: json<Readonly<Record<string, string>>>(),
  author: text,
  createdAt: instant,
})

export function savedViewStorage(db: Db): SavedViewStorage {
  return {
    create: (view, max) =>
      db.transaction(function* () {
        const { accountId, name } = view
        yield* lockAccounts([accountId])
        const taken = 'select 1 from saved_views where account_id = ?1 and name = ?2'
        if ((yield* get(taken, accountId, name)) !== undefined) return false
        checkRoom('views', yield* countOf('saved_views', accountId), max)
        yield* VIEW.insert('saved_views', view)
        return true
      }),

    async list(accountId) {
      const views = await db.alone(VIEW.all('from saved_views where account_id = ?1', accountId))
      // Not in SQL: the engines collate differently.
      return views.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },

    async remove(accountId, id) {
      const remove = 'delete from saved_views where id = ?1 and account_id = ?2'
      return (await db.alone(run(remove, id, accountId))) > 0
    },
  }
}
