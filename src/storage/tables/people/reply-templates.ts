import { columns, instant, nullable, text } from '../../columns.ts'
import type { ReplyTemplateStorage } from '../../port/reply-templates.ts'
import { msOf } from '../../values.ts'
import { type Db, get, run, type Work } from '../../work.ts'
import { checkRoom, countOf, lockAccounts } from './account-limits.ts'

const TEMPLATE = columns({
  id: text,
  accountId: text,
  name: text,
  text,
  language: nullable(text),
  createdAt: instant,
  updatedAt: instant,
})

export function replyTemplateStorage(db: Db): ReplyTemplateStorage {
  return {
    create: (template, max) =>
      db.transaction(function* () {
        const { id, accountId, name } = template
        yield* lockAccounts([accountId])
        if (yield* isTaken(accountId, name, id)) return false
        checkRoom('answer templates', yield* countOf('reply_templates', accountId), max)
        yield* TEMPLATE.insert('reply_templates', template)
        return true
      }),

    async list(accountId) {
      const templates = await db.alone(TEMPLATE.all('from reply_templates where account_id = ?1', accountId))
      // Not in SQL: the engines collate differently.
      return templates.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },

    replace: (accountId, id, { name, text, language, updatedAt }) =>
      db.transaction(function* () {
        yield* lockAccounts([accountId])
        if (yield* isTaken(accountId, name, id)) {
          const own = yield* get(
            'select 1 from reply_templates where id = ?1 and account_id = ?2',
            id,
            accountId,
          )
          return own === undefined ? 'missing' : 'taken'
        }
        const changed = yield* run(
          `update reply_templates set name = ?1, text = ?2, language = ?3, updated_at = ?4
           where id = ?5 and account_id = ?6`,
          ...[name, text, language, msOf(updatedAt), id, accountId],
        )
        return changed > 0 ? 'replaced' : 'missing'
      }),

    async remove(accountId, id) {
      const remove = 'delete from reply_templates where id = ?1 and account_id = ?2'
      return (await db.alone(run(remove, id, accountId))) > 0
    },
  }
}

function* isTaken(accountId: string, name: string, id: string): Work<boolean> {
  const taken = 'select 1 from reply_templates where account_id = ?1 and name = ?2 and id <> ?3'
  return (yield* get(taken, accountId, name, id)) !== undefined
}
