import { checkRoom } from '../../people/account-usage.ts'
import type { ReplyTemplateStorage } from '../../port/reply-templates.ts'
import {
  byName,
  TEMPLATE_COLUMNS,
  type TemplateRow,
  templateOf,
  templateValues,
} from '../../replies/template-rows.ts'
import { msOf } from '../../values.ts'
import type { Database, Transaction } from '../connect.ts'
import { lockAccounts } from './account-limits.ts'

const PLACES = TEMPLATE_COLUMNS.split(',')
  .map((_, index) => `$${index + 1}`)
  .join(', ')

export function replyTemplateStorage(db: Database): ReplyTemplateStorage {
  const isTaken = async (tx: Transaction, accountId: string, name: string, id: string) =>
    (await tx.get(
      'select 1 from reply_templates where account_id = $1 and name = $2 and id <> $3',
      accountId,
      name,
      id,
    )) !== undefined
  return {
    create: async (template, max) =>
      db.transaction(async (tx) => {
        const { id, accountId, name } = template
        await lockAccounts(tx, [accountId])
        if (await isTaken(tx, accountId, name, id)) return false
        const { count } = (await tx.get<{ count: number }>(
          'select count(*) as count from reply_templates where account_id = $1',
          accountId,
        )) ?? { count: 0 }
        checkRoom('reply templates', count, max)
        await tx.run(
          `insert into reply_templates (${TEMPLATE_COLUMNS}) values (${PLACES})`,
          ...templateValues(template),
        )
        return true
      }),

    list: async (accountId) => {
      const rows = await db.all<TemplateRow>(
        `select ${TEMPLATE_COLUMNS} from reply_templates where account_id = $1`,
        accountId,
      )
      return byName(rows.map(templateOf))
    },

    replace: (accountId, id, { name, text, language, updatedAt }) =>
      db.transaction(async (tx) => {
        await lockAccounts(tx, [accountId])
        if (await isTaken(tx, accountId, name, id)) {
          const own = await tx.get(
            'select 1 from reply_templates where id = $1 and account_id = $2',
            id,
            accountId,
          )
          return own === undefined ? 'missing' : 'taken'
        }
        const changed = await tx.run(
          'update reply_templates set name = $1, text = $2, language = $3, updated_at = $4 where id = $5 and account_id = $6',
          name,
          text,
          language,
          msOf(updatedAt),
          id,
          accountId,
        )
        return changed > 0 ? 'replaced' : 'missing'
      }),

    remove: async (accountId, id) =>
      (await db.run('delete from reply_templates where id = $1 and account_id = $2', id, accountId)) > 0,
  }
}
