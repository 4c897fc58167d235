import type { AccountLimits, Created, IdempotencyKey } from '../../port/hooks.ts'
import * as shared from '../../tables/people/account-limits.ts'
import { native, runAsync } from '../../work.ts'
import type { Transaction } from '../connect.ts'

/** For code that is not a unit of work yet. */

export function withinLimits<T>(
  tx: Transaction,
  accountId: string,
  limits: AccountLimits | undefined,
  change: () => Promise<T>,
): Promise<T> {
  return runAsync(
    tx,
    shared.withinLimits(accountId, limits, () => native<Transaction, T>(change)),
  )
}

export function withIdempotencyKey(
  tx: Transaction,
  accountId: string,
  now: Date,
  key: IdempotencyKey | undefined,
  create: () => Promise<void>,
): Promise<Created> {
  return runAsync(
    tx,
    shared.withIdempotencyKey(accountId, now, key, () => native<Transaction, void>(create)),
  )
}

export async function lockAccounts(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await runAsync(tx, shared.lockAccounts(accountIds))
}
