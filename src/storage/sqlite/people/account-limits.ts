import { checkUsage, type Usage, usageQuery } from '../../people/account-usage.ts'
import type { AccountLimits, Created, IdempotencyKey } from '../../port/hooks.ts'
import { bytesOf, hexOf, msOf } from '../../values.ts'
import type { Connection } from '../connect.ts'

const USAGE = usageQuery('?1')

/** Runs `change`. Throws `LimitReached`, which rolls it back, when the account exceeds a limit afterwards. */
export function withinLimits<T>(
  db: Connection,
  accountId: string,
  limits: AccountLimits | undefined,
  change: () => T,
): T {
  if (limits === undefined) return change()
  const usage = () => db.get<Usage>(USAGE, accountId) ?? { hooks: 0, storefronts: 0 }
  const before = usage()
  const result = change()
  checkUsage(before, usage(), limits)
  return result
}

/** Runs `create` unless the account has used the key before. Then it creates nothing and returns the first answer. */
export function withIdempotencyKey(
  db: Connection,
  accountId: string,
  now: Date,
  key: IdempotencyKey | undefined,
  create: () => void,
): Created {
  if (key !== undefined) {
    db.run('delete from idempotency_keys where account_id = ? and expires_at <= ?', accountId, msOf(now))
    const used = db.get<{ request_sha256: Uint8Array; answer: string }>(
      'select request_sha256, answer from idempotency_keys where account_id = ? and key_sha256 = ?',
      accountId,
      bytesOf(key.keySha256Hex),
    )
    if (used !== undefined) {
      return { kind: 'repeated', requestSha256Hex: hexOf(used.request_sha256), answer: used.answer }
    }
  }
  create()
  if (key !== undefined) {
    db.run(
      'insert into idempotency_keys (account_id, key_sha256, request_sha256, answer, expires_at) values (?, ?, ?, ?, ?)',
      accountId,
      bytesOf(key.keySha256Hex),
      bytesOf(key.requestSha256Hex),
      key.answer,
      msOf(key.expiresAt),
    )
  }
  return { kind: 'created' }
}
