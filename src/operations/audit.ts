import { AUDIT_DETAIL_CHARS_MAX, type AuditEntry, COMMAND_ACTOR_ID } from '../model/audit.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { AccountStorage } from '../storage/port/accounts.ts'
import type { AuditFilter, AuditStorage } from '../storage/port/audit.ts'
import type { PeopleStorage } from '../storage/port/people.ts'
import { accountPages, nextBySeq } from './pages.ts'

export type { AuditFilter }

export type AuditDeps = {
  readonly audit: AuditStorage
  readonly accounts: Pick<AccountStorage, 'isActive'>
  readonly people: Pick<PeopleStorage, 'memberships'>
  readonly clock: Clock
  readonly log: Log
}

/** An audit entry as the API, the console or a command records it. */
export type AuditRecord = Omit<AuditEntry, 'seq' | 'at'>

export type AuditOperations = ReturnType<typeof auditOperations>

const PAGE_ROWS = 500

/** The entry for a change by an operator's command. `name` is the command, such as `radar token create`. */
export function commandRecord(
  name: string,
  change: Pick<AuditRecord, 'accountId' | 'action' | 'target' | 'detail'>,
): AuditRecord {
  return { ...change, ...commandActor(name) }
}

/** A command, as the actor of an entry. */
export function commandActor(name: string): Pick<AuditRecord, 'actor' | 'clientAddress'> {
  return { actor: { kind: 'command', id: COMMAND_ACTOR_ID, name }, clientAddress: null }
}

/** The audit log of an account. */
export function auditOperations({ audit, accounts, people, clock, log }: AuditDeps) {
  const record = async (entry: AuditRecord): Promise<void> => {
    const detail = entry.detail?.slice(0, AUDIT_DETAIL_CHARS_MAX).toWellFormed() ?? null
    try {
      await audit.append({ ...entry, detail, at: clock.now() })
    } catch (error) {
      log.error('audit.failed', { account: entry.accountId, action: entry.action, error })
    }
  }

  return {
    /** Stores an entry. Never throws, because the change has happened and its caller must get the result. */
    record,

    /** Stores an entry about a user in each of their accounts. Never throws. */
    async recordForUser(userId: string, entry: Omit<AuditRecord, 'accountId'>): Promise<void> {
      try {
        for (const { accountId } of await people.memberships(userId)) await record({ accountId, ...entry })
      } catch (error) {
        log.error('audit.failed', { action: entry.action, error })
      }
    },

    /** Newest first. */
    list: (
      accountId: string,
      filter: AuditFilter,
      page: { readonly limit: number; readonly before: number | null },
    ): Promise<AuditEntry[]> => audit.list(accountId, filter, page),

    /** All matching entries, newest first, in pages. */
    pages: (accountId: string, filter: AuditFilter): AsyncGenerator<readonly AuditEntry[]> =>
      accountPages(
        accounts,
        accountId,
        (before: number | null) => audit.list(accountId, filter, { limit: PAGE_ROWS, before }),
        (entries) => nextBySeq(entries, PAGE_ROWS),
      ),
  }
}
