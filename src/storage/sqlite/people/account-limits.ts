import type { AccountLimits, Created, IdempotencyKey } from '../../port/hooks.ts'
import * as shared from '../../tables/people/account-limits.ts'
import { native, runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'

/** For code that is not a unit of work yet. */

export function withinLimits<T>(
  db: Connection,
  accountId: string,
  limits: AccountLimits | undefined,
  change: () => T,
): T {
  return runSync(
    db,
    shared.withinLimits(accountId, limits, () => native<Connection, T>(change)),
  )
}

export function withIdempotencyKey(
  db: Connection,
  accountId: string,
  now: Date,
  key: IdempotencyKey | undefined,
  create: () => void,
): Created {
  return runSync(
    db,
    shared.withIdempotencyKey(accountId, now, key, () => native<Connection, void>(create)),
  )
}
