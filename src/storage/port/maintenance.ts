import type { DiskSpace } from '../../model/disk-space.ts'
import type { HookName } from '../../model/hook.ts'
import type { FeedKind, Store } from '../../model/vocabulary.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'
import type { NoticeKind } from './deliveries.ts'

export type Notice = {
  readonly seq: number
  readonly accountId: string
  readonly hookId: string
  readonly kind: NoticeKind
  readonly at: Date
  readonly detail: string
  /** Null once the hook is deleted. */
  readonly hook: HookName | null
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
  /** Polls of official sources. */
  readonly officialAt: Date | null
  /** Imports of histories. */
  readonly historyAt: Date | null
  readonly replyAt: Date | null
}

export type QueueDepths = {
  readonly pending: number
  readonly held: number
  readonly dead: number
  /**
   * The time from which the oldest pending delivery could be sent: when it was due, or the end of an open breaker or
   * rate limit if that is later. It may be in the future. Null without a pending delivery of an active hook.
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
] as const
export type PrunedTable = (typeof PRUNED_TABLES)[number]

/** Rows of a table are counted up to this number, so that the count is fast. */
export const PRUNE_COUNT_MAX = 1_000_000

/** How many rows of each table may still be deleted. */
export type PruneQuotas = Map<PrunedTable, number>

export type Joined = {
  /** Another service uses the same database file. Always false on PostgreSQL, where several nodes are normal. */
  readonly sharesFile: boolean
  /** Leases of dead processes that ended. */
  readonly releasedLeases: number
}

export type MaintenanceStorage = {
  /** One statement, fast at any size: an idle node reads it once per second. */
  readonly dueWork: (now: Instant) => Promise<DueWork>
  /** Exact counts. They are read at most every 15 s, since they take longer with millions of rows. */
  readonly depths: (now: Instant) => Promise<QueueDepths>
  /**
   * Deletes data older than `before`, at most `limit` rows per call so that it does not delay sending: delivered and
   * discarded deliveries with their bytes and attempts; review texts with their occurrences unless one is pending;
   * notices, audit entries, ended replays, cached enrichments and deleted hooks without deliveries; ended sessions,
   * links, started sign-ins, invitations and idempotency keys. It never deletes pending deliveries,
   * unresolved dead letters and seen reviews. Returns the number of deleted rows; 0 when there are no more. Deletes at
   * most `quotas` of a table, and reduces them.
   */
  readonly prune: (before: Instant, limit: number, quotas?: PruneQuotas) => Promise<number>
  /** This share of the rows of each table, at least one row. Counts at most a million rows of a table. */
  readonly pruneQuotas: (share: number) => Promise<PruneQuotas>
  /** Newest first. */
  readonly notices: (
    accountId: string,
    filter: { readonly hookId?: string; readonly limit: number },
  ) => Promise<Notice[]>
  readonly heartbeat: (node: WithInstants<Node>) => Promise<void>
  readonly removeNode: (id: string) => Promise<void>
  readonly nodes: () => Promise<Node[]>
  /**
   * Stores `value` under `name` unless a value exists, and returns the stored one. For data of the whole database, such
   * as the check of its key.
   */
  readonly getOrCreate: (name: string, value: string) => Promise<string>
  /**
   * A service calls it once before its loops start. On SQLite the process then counts as running until it ends, and if
   * no other service uses the file, the leases of dead processes end now. On PostgreSQL other nodes may run, so leases
   * only expire.
   */
  readonly joinServices: () => Promise<Joined>
  /** True when the storage responds. Never throws. */
  readonly ping: () => Promise<boolean>
  readonly sizeBytes: () => Promise<number>
  /** Of the file system with the database. Null for a database server and in memory. */
  readonly diskSpace: () => Promise<DiskSpace | null>
  /** A consistent copy to a new file, while others write. SQLite only: on PostgreSQL it throws and names the tool. */
  readonly backup: (file: string) => Promise<void>
}
