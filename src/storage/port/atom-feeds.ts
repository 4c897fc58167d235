import type { AtomFeed } from '../../model/atom-feed.ts'
import type { WithInstants } from '../../runtime/instant.ts'

export type AtomFeedStorage = {
  /** Stores only the SHA-256 of the token. Throws `LimitReached` when the account has `max`; the count is part of the commit. */
  readonly create: (feed: WithInstants<AtomFeed>, sha256Hex: string, max: number) => Promise<void>
  /** Newest first. */
  readonly list: (accountId: string) => Promise<AtomFeed[]>
  /** False when the account has no such feed. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>
  /** The feed with this hash, of any account; null for none. */
  readonly find: (sha256Hex: string) => Promise<AtomFeed | null>
}
