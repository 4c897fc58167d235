import type { ConnectionCheck, StoreConnection } from '../../model/store-connection.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'

export type WrittenConnection = WithInstants<Omit<StoreConnection, 'check'>> & {
  readonly check: WithInstants<ConnectionCheck>
}

/** An absent field is not changed. */
export type ConnectionUpdate = Partial<
  Pick<WrittenConnection, 'name' | 'subject' | 'credentials' | 'rotatedAt' | 'check'>
>

/** Credentials of accounts for the stores' official interfaces. No method reads or changes those of other accounts. */
export type StoreConnectionStorage = {
  /**
   * False when the account has a connection with this kind and subject. Throws `LimitReached` when it has `max`; the
   * count is part of the commit.
   */
  readonly create: (connection: WrittenConnection, max: number) => Promise<boolean>
  /** Oldest first. */
  readonly list: (accountId: string) => Promise<StoreConnection[]>
  readonly get: (accountId: string, id: string) => Promise<StoreConnection | null>
  /**
   * `missing`: the account has no such connection. `taken`: another one of the account has the new subject, and nothing
   * was changed.
   */
  readonly update: (
    accountId: string,
    id: string,
    change: ConnectionUpdate,
  ) => Promise<'updated' | 'missing' | 'taken'>
  /** Deletes the credentials; its apps change back to the public pages. False when the account has no such connection. */
  readonly remove: (accountId: string, id: string, now: Instant) => Promise<boolean>
}
