import type { WithInstants } from '../../runtime/instant.ts'

/** Named filters of the review feed, for all members of an account. */
export type SavedView = {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Query parameters of the feed. */
  readonly filters: Readonly<Record<string, string>>
  /** The member who saved it, at that time. */
  readonly author: string
  readonly createdAt: Date
}

/** Names are unique in an account; a taken one changes nothing. */
export type SavedViewStorage = {
  /** False when the name is taken. Throws `LimitReached` when the account has `max`; the count is part of the commit. */
  readonly create: (view: WithInstants<SavedView>, max: number) => Promise<boolean>
  /** By name. */
  readonly list: (accountId: string) => Promise<SavedView[]>
  /** False when the account has no such view. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>
}
