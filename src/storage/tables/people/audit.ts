import type { AuditAction, AuditActor, AuditEntry } from '../../../model/audit.ts'
import { columns, instant, integer, nullable, text, word } from '../../columns.ts'
import type { AuditStorage } from '../../port/audit.ts'
import { msOf } from '../../values.ts'
import { type Db, where } from '../../work.ts'

const NEW_ENTRY = columns({
  accountId: text,
  at: instant,
  actor: { kind: word<AuditActor['kind']>(), id: nullable(text), name: nullable(text) },
  clientAddress: nullable(text),
  action: word<AuditAction>(),
  target: nullable(text),
  detail: nullable(text),
})

const ENTRY = columns({ seq: integer, ...NEW_ENTRY.shape })

export function auditStorage(db: Db): AuditStorage {
  return {
    async append(entry) {
      await db.alone(NEW_ENTRY.insert('audit_entries', entry))
    },

    async list(accountId, { action, actorId, since, until }, { limit, before }) {
      const { conditions, values } = where([
        ['account_id = ?', accountId],
        ['seq < ?', before],
        ['action = ?', action],
        ['actor_id = ?', actorId],
        ['at >= ?', since && msOf(since)],
        ['at < ?', until && msOf(until)],
      ])
      const rest = `from audit_entries where ${conditions} order by seq desc limit ?${values.length + 1}`
      // Each was stored from an `AuditEntry`.
      return (await db.alone(ENTRY.all(rest, ...values, limit))) as AuditEntry[]
    },
  }
}
