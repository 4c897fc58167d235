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
import type { Connection } from '../connect.ts'

const PLACES = TEMPLATE_COLUMNS.replace(/\w+/g, '?')

export function replyTemplateStorage(db: Connection): ReplyTemplateStorage {
  const isTaken = (accountId: string, name: string, id: string) =>
    db.get(
      'select 1 from reply_templates where account_id = ? and name = ? and id <> ?',
      accountId,
      name,
      id,
    ) !== undefined
  return {
    create: async (template, max) =>
      db.transaction(() => {
        const { id, accountId, name } = template
        if (isTaken(accountId, name, id)) return false
        const { count } = db.get<{ count: number }>(
          'select count(*) as count from reply_templates where account_id = ?',
          accountId,
        ) ?? { count: 0 }
        checkRoom('reply templates', count, max)
        db.run(
          `insert into reply_templates (${TEMPLATE_COLUMNS}) values (${PLACES})`,
          ...templateValues(template),
        )
        return true
      }),

    list: async (accountId) =>
      byName(
        db
          .all<TemplateRow>(`select ${TEMPLATE_COLUMNS} from reply_templates where account_id = ?`, accountId)
          .map(templateOf),
      ),

    replace: async (accountId, id, { name, text, language, updatedAt }) =>
      db.transaction(() => {
        if (isTaken(accountId, name, id)) {
          const own = db.get('select 1 from reply_templates where id = ? and account_id = ?', id, accountId)
          return own === undefined ? 'missing' : 'taken'
        }
        const changed = db.run(
          'update reply_templates set name = ?, text = ?, language = ?, updated_at = ? where id = ? and account_id = ?',
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
      db.run('delete from reply_templates where id = ? and account_id = ?', id, accountId) > 0,
  }
}
