import type { FrozenReason } from '../../model/feed.ts'

/** Why a source may be frozen, for the System page and `radar doctor`. */
export const FROZEN_BECAUSE: Readonly<Record<FrozenReason, string>> = {
  older_than_known: 'Its newest review is older than before.',
  ratings_move: 'The number of ratings grows, but no review arrives.',
  other_source_newer: 'Another source shows newer reviews.',
}

/** `GET /api/console/system`: operators only, 404 for other users. */
export type SystemView = {
  readonly version: string
  readonly nodeVersion: string
  readonly engine: 'sqlite' | 'postgres'
  readonly schemaVersion: number
  readonly storageBytes: number
  readonly startedAt: string
  /** Of the file system with the database; null on PostgreSQL. */
  readonly diskFreeBytes: number | null
  /** Why this node is not ready, one sentence each: what `/readyz` says. */
  readonly reasons: readonly string[]
  /** Warnings, one sentence each: a clock that jumped, feeds that are overdue. */
  readonly warnings: readonly string[]
  readonly nodes: readonly {
    readonly id: string
    readonly version: string
    readonly roles: readonly string[]
    readonly startedAt: string
    readonly seenAt: string
    /** How far the node's clock is ahead of the database's clock; null when not compared. */
    readonly skewMs: number | null
  }[]
  readonly stores: readonly {
    readonly store: string
    readonly requestsPerMinuteMax: number
    /** The used share of the requests of this minute, 0 to 1. */
    readonly used: number
    readonly blockedUntil: string | null
    readonly blocks: number
    readonly lastDetail: string | null
    readonly feeds: readonly {
      readonly kind: string
      readonly active: number
      readonly due: number
      readonly failing: number
      readonly fallback: number
      readonly frozen: number
    }[]
  }[]
  readonly queues: {
    readonly waitingForEnrichment: number
    readonly waitingForFanOut: number
    readonly pending: number
    readonly held: number
    readonly dead: number
    readonly oldestDueAt: string | null
    readonly breakersOpen: number
  }
  readonly feeds: readonly {
    readonly id: number
    readonly store: string
    readonly appId: string
    readonly appName: string | null
    readonly kind: string
    readonly market: string
    readonly outcome: string | null
    readonly source: string | null
    readonly detail: string | null
    readonly failingSince: string | null
    readonly lastPolledAt: string | null
    readonly hasRawAnswer: boolean
  }[]
  /** Feeds on a fallback source, or with a source that may be frozen. */
  readonly sources: readonly {
    readonly id: number
    readonly store: string
    readonly appId: string
    readonly appName: string | null
    readonly kind: string
    readonly market: string
    readonly fallback: {
      readonly source: string
      readonly since: string
      readonly reason: string
      readonly probedAt: string
    } | null
    /** May be a false alarm. */
    readonly frozen: { readonly source: string; readonly since: string; readonly reason: FrozenReason } | null
  }[]
  /** Rows of store pages that could not be parsed as reviews, last seen first, without their raw form. */
  readonly quarantine: {
    readonly total: number
    readonly rows: readonly {
      readonly feedId: number
      readonly store: string
      readonly appId: string
      readonly appName: string | null
      readonly market: string
      readonly rowKey: string
      readonly reason: string
      readonly firstSeenAt: string
      readonly lastSeenAt: string
    }[]
  }
  readonly settings: readonly {
    readonly name: string
    readonly value: string
    readonly fromDefault: boolean
    readonly about: string
  }[]
}
/** `GET /api/console/system/quarantine` answers JSON lines with raw forms, as a download. */
/** `GET /api/console/system/feeds/:id/raw` answers `text/plain`, as a download. */

/**
 * Messages of `GET /api/console/stream` (server-sent events): the topics that a page should reload. Each topic is sent at most once per
 * second, followed by `ready`. `?since=` or `Last-Event-ID` is the state of the page's data: that of the session, or the id of a message.
 */
export const STREAM_TOPICS = ['reviews', 'deliveries', 'dead', 'apps', 'destinations', 'replays'] as const
export type StreamTopic = (typeof STREAM_TOPICS)[number]

/** The last message of a stream that ends for good: `event: ended` with `{"reason": …}`. */
export const STREAM_END = 'ended'
export type StreamEndReason = 'session_left' | 'account_deleted'
