import { type AuditRow, entryOf, insertOf, selectOf } from '../../people/audit-rows.ts'
import type { AuditStorage } from '../../port/audit.ts'
import type { Database } from '../connect.ts'

const placeholder = (place: number) => `$${place}`

export function auditStorage(db: Database): AuditStorage {
  return {
    append: async (entry) => {
      const { sql, values } = insertOf(entry, placeholder)
      await db.run(sql, ...values)
    },

    list: async (accountId, filter, page) => {
      const { sql, values } = selectOf(accountId, filter, page, placeholder)
      return (await db.all<AuditRow>(sql, ...values)).map(entryOf)
    },
  }
}
