import type { NoticeKind } from './deliveries.ts'

export type Notice = {
  readonly seq: number
  readonly accountId: string
  readonly hookId: string
  readonly kind: NoticeKind
  readonly at: Date
  readonly detail: string
}

/** When each loop next has something to do; null for never, in the past for now. */
export type DueWork = {
  readonly pollAt: Date | null
  readonly enrichAt: Date | null
  readonly fanOutAt: Date | null
  readonly sendAt: Date | null
  readonly replayAt: Date | null
}

export type QueueDepths = {
  readonly pending: number
  readonly held: number
  readonly dead: number
  /**
   * Since when the delivery that waits longest could have been sent: since it was due, or since its hook's wait for a
   * breaker or a rate limit ended, if that was later. May lie ahead. Null when nothing is pending that is not held.
   */
  readonly oldestDueAt: Date | null
  readonly waitingForEnrichment: number
  readonly waitingForFanOut: number
  readonly breakersOpen: number
}

export type Node = {
  readonly id: string
  readonly version: string
  readonly roles: readonly string[]
  readonly startedAt: Date
  readonly seenAt: Date
  /** How far its own clock was ahead of the database's, by the last comparison; null for a node that did not compare. */
  readonly skewMs: number | null
}

/** Tables that retention deletes from, in the order in which it does. */
export const PRUNED_TABLES = [
  'deliveries',
  'reviews',
  'quarantined_rows',
  'notices',
  'hook_hours',
  'model_cache',
  'replays',
  'hooks',
  'invitations',
  'idempotency_keys',
  'auth_sessions',
  'auth_rate_limits',
] as const
export type PrunedTable = (typeof PRUNED_TABLES)[number]

/** Rows of a table are counted up to this, so that the count stays cheap. */
export const PRUNE_COUNT_MAX = 1_000_000

/** How many rows of each table may still be deleted. */
export type PruneQuotas = Map<PrunedTable, number>

export type Joined = {
  /** Another service runs on the same database file. Always false on PostgreSQL, where that is usual. */
  readonly sharesFile: boolean
  /** Leases of dead processes that ended. */
  readonly releasedLeases: number
}

export type UpkeepStorage = {
  /** One statement, cheap at any size: an idle node asks for it once a second. */
  readonly dueWork: (now: Date) => Promise<DueWork>
  /** Exact counts; may take a while at millions of rows, so it is asked at most every 15 s. */
  readonly depths: (now: Date) => Promise<QueueDepths>
  /**
   * Deletes what retention no longer keeps, at most `limit` things a call so that sending never stalls: deliveries
   * delivered or discarded before `before`, whole, with their bytes and attempts; review texts detected before it,
   * with their occurrences unless one still waits; notices, ended replays, cached enrichments and deleted hooks with
   * nothing left under them; sessions, invitations and idempotency keys that ended before it, and counts of attempts to sign in. Pending
   * deliveries stay, dead letters until resolved, seen reviews for ever. How many things went; 0 when nothing is left to do.
   * Takes no more of a table than `quotas` leave, and reduces them by what went.
   */
  readonly prune: (before: Date, limit: number, quotas?: PruneQuotas) => Promise<number>
  /** This share of the rows of each table, at least one. A table is counted up to a million rows. */
  readonly pruneQuotas: (share: number) => Promise<PruneQuotas>
  /** Newest first. */
  readonly notices: (
    accountId: string,
    filter: { readonly hookId?: string; readonly limit: number },
  ) => Promise<Notice[]>
  readonly heartbeat: (node: Node) => Promise<void>
  readonly removeNode: (id: string) => Promise<void>
  readonly nodes: () => Promise<Node[]>
  /**
   * Keeps `value` under `name` unless something is kept there already; returns what is kept. For what belongs to a
   * database as a whole, such as the check of its key.
   */
  readonly keepFirst: (name: string, value: string) => Promise<string>
  /**
   * Called once by a service before its loops start. On SQLite the process counts as running until it ends, and when no other service
   * runs on the file, leases of processes that died end now: what they had is due again. On PostgreSQL other nodes may run, and
   * leases end at their own time.
   */
  readonly joinServices: () => Promise<Joined>
  /** True when storage answers. Never throws. */
  readonly ping: () => Promise<boolean>
  readonly sizeBytes: () => Promise<number>
  /** A consistent copy to a new file, while others write. SQLite only: PostgreSQL has its own tools, and says so. */
  readonly backup: (file: string) => Promise<void>
}
