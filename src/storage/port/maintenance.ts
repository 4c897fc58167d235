import type { FeedKind, Store } from '../../model/vocabulary.ts'
import type { NoticeKind } from './deliveries.ts'

export type Notice = {
  readonly seq: number
  readonly accountId: string
  readonly hookId: string
  readonly kind: NoticeKind
  readonly at: Date
  readonly detail: string
}

/** The feeds of one store and kind. */
export type FeedQueue = `${Store}.${FeedKind}`

/** When each loop has its next work; null for never, in the past for now. */
export type DueWork = {
  readonly polls: Readonly<Record<FeedQueue, Date | null>>
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
   * Since when the oldest pending delivery could have been sent: since it was due, or since the end of an open breaker or
   * rate limit, if that was later. May be in the future. Null without a pending delivery of an active hook.
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
  /** How far its clock was ahead of the database's at the last comparison; null without one. */
  readonly skewMs: number | null
}

/** Tables that retention deletes from, in this order. */
export const PRUNED_TABLES = [
  'deliveries',
  'reviews',
  'quarantined_rows',
  'notices',
  'alerts',
  'audit_entries',
  'hook_hours',
  'model_cache',
  'replays',
  'hooks',
  'invitations',
  'idempotency_keys',
  'auth_sessions',
  'auth_verifications',
  'auth_rate_limits',
] as const
export type PrunedTable = (typeof PRUNED_TABLES)[number]

/** Rows of a table are counted up to this, so that the count stays cheap. */
export const PRUNE_COUNT_MAX = 1_000_000

/** How many rows of each table may still be deleted. */
export type PruneQuotas = Map<PrunedTable, number>

export type Joined = {
  /** Another service uses the same database file. Always false on PostgreSQL, where that is usual. */
  readonly sharesFile: boolean
  /** Leases of dead processes that ended. */
  readonly releasedLeases: number
}

export type MaintenanceStorage = {
  /** One statement, cheap at any size: an idle node reads it once a second. */
  readonly dueWork: (now: Date) => Promise<DueWork>
  /** Exact counts; may take a while at millions of rows, so it is read at most every 15 s. */
  readonly depths: (now: Date) => Promise<QueueDepths>
  /**
   * Deletes expired data, at most `limit` rows a call so that sending never stalls: deliveries that were delivered or
   * discarded before `before`, with their bytes and attempts; review texts detected before it, with their occurrences
   * unless one is still pending; notices, entries of the audit log, ended replays, cached enrichments and deleted hooks with
   * nothing left under them; sessions, links and started sign-ins, invitations and idempotency keys that ended before it, and counts of attempts to sign in. Pending
   * deliveries stay, dead letters until resolved, seen reviews forever. Returns how many rows were deleted; 0 when nothing is left.
   * Deletes no more of a table than `quotas` allow, and reduces them.
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
   * Stores `value` under `name` unless there is a value already; returns the stored one. For data of the whole database,
   * such as the check of its key.
   */
  readonly getOrCreate: (name: string, value: string) => Promise<string>
  /**
   * Called once by a service before its loops start. On SQLite the process counts as running until it ends, and when no other service
   * uses the file, leases of dead processes end now. On PostgreSQL other nodes may run, and leases expire.
   */
  readonly joinServices: () => Promise<Joined>
  /** True when storage answers. Never throws. */
  readonly ping: () => Promise<boolean>
  readonly sizeBytes: () => Promise<number>
  /** A consistent copy to a new file, while others write. SQLite only: on PostgreSQL it throws and names the tool. */
  readonly backup: (file: string) => Promise<void>
}
