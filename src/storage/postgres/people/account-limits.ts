import { checkUsage, type Usage, usageQuery } from '../../people/account-usage.ts'
import type { AccountLimits, Created, IdempotencyKey } from '../../port/hooks.ts'
import { bytesOf, hexOf, msOf } from '../../values.ts'
import type { Transaction } from '../connect.ts'

const USAGE = usageQuery('$1')

/**
 * Runs `change`. Throws `LimitReached`, which rolls it back, when the account exceeds a limit afterwards. Differs from
 * sqlite: locks the account's row, so that the second of two concurrent changes counts the first.
 */
export async function withinLimits<T>(
  tx: Transaction,
  accountId: string,
  limits: AccountLimits | undefined,
  change: () => Promise<T>,
): Promise<T> {
  await lockAccounts(tx, [accountId])
  if (limits === undefined) return change()
  const usage = async () => (await tx.get<Usage>(USAGE, accountId)) ?? { hooks: 0, storefronts: 0 }
  const before = await usage()
  const result = await change()
  checkUsage(before, await usage(), limits)
  return result
}

/** Runs `create` unless the account has used the key before. Then it creates nothing and returns the first answer. */
export async function withIdempotencyKey(
  tx: Transaction,
  accountId: string,
  now: Date,
  key: IdempotencyKey | undefined,
  create: () => Promise<void>,
): Promise<Created> {
  if (key !== undefined) {
    await lockAccounts(tx, [accountId])
    await tx.run(
      'delete from idempotency_keys where account_id = $1 and expires_at <= $2',
      accountId,
      msOf(now),
    )
    const used = await tx.get<{ request_sha256: Uint8Array; answer: string }>(
      'select request_sha256, answer from idempotency_keys where account_id = $1 and key_sha256 = $2',
      accountId,
      bytesOf(key.keySha256Hex),
    )
    if (used !== undefined) {
      return { kind: 'repeated', requestSha256Hex: hexOf(used.request_sha256), answer: used.answer }
    }
  }
  await create()
  if (key !== undefined) {
    await tx.run(
      'insert into idempotency_keys (account_id, key_sha256, request_sha256, answer, expires_at) values ($1, $2, $3, $4, $5)',
      accountId,
      bytesOf(key.keySha256Hex),
      bytesOf(key.requestSha256Hex),
      key.answer,
      msOf(key.expiresAt),
    )
  }
  return { kind: 'created' }
}

/**
 * Locks accounts before their rows are counted. The lock does not include the key, so that rows that reference the
 * account can still be written. The order avoids deadlocks.
 */
export async function lockAccounts(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await tx.run('select 1 from accounts where id = any($1) order by id for no key update', accountIds)
}
