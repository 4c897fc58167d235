import type { AuditAction, AuditEntry } from '../../model/audit.ts'
import type { WithInstants } from '../../runtime/instant.ts'

/** An absent part does not filter. */
export type AuditFilter = {
  readonly action?: AuditAction | undefined
  readonly actorId?: string | undefined
  /** Entries since then. */
  readonly since?: Date | undefined
  /** Entries before then. */
  readonly until?: Date | undefined
}

/** Who did what in an account. Entries never change; retention deletes old ones. */
export type AuditStorage = {
  readonly append: (entry: WithInstants<Omit<AuditEntry, 'seq'>>) => Promise<void>
  /** Newest first; those with a smaller `seq` than `before`. */
  readonly list: (
    accountId: string,
    filter: AuditFilter,
    page: { readonly limit: number; readonly before: number | null },
  ) => Promise<AuditEntry[]>
}
