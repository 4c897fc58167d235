import { type AuditRow, entryOf, insertOf, selectOf } from '../../people/audit-rows.ts'
import type { AuditStorage } from '../../port/audit.ts'
import type { Connection } from '../connect.ts'

const placeholder = (place: number) => `?${place}`

export function auditStorage(db: Connection): AuditStorage {
  return {
    append: async (entry) => {
      const { sql, values } = insertOf(entry, placeholder)
      db.run(sql, ...values)
    },

    list: async (accountId, filter, page) => {
      const { sql, values } = selectOf(accountId, filter, page, placeholder)
      return db.all<AuditRow>(sql, ...values).map(entryOf)
    },
  }
}
