import { columns, instant, named, sha256, text } from '../../columns.ts'
import { LimitReached } from '../../port/errors.ts'
import type { AccountLimits, Created, IdempotencyKey } from '../../port/hooks.ts'
import { bytesOf, msOf } from '../../values.ts'
import { get, lock, run, type Work } from '../../work.ts'
import { ALL_STOREFRONTS, hasStorefront } from '../hooks/tracked-storefronts.ts'

/**
 * Runs `change`. Throws `LimitReached`, which rolls it back, when the account exceeds a limit afterwards. The second of two concurrent
 * changes counts the first.
 */
export function* withinLimits<T>(
  accountId: string,
  limits: AccountLimits | undefined,
  change: () => Work<T>,
): Work<T> {
  yield* lockAccounts([accountId])
  if (limits === undefined) return yield* change()
  const before = yield* usageOf(accountId)
  const result = yield* change()
  checkUsage(before, yield* usageOf(accountId), limits)
  return result
}

/** Runs `create` unless the account has used the key before. Then it creates nothing and returns the first answer. */
export function* withIdempotencyKey(
  accountId: string,
  now: Date,
  key: IdempotencyKey | undefined,
  create: () => Work<unknown>,
): Work<Created> {
  if (key !== undefined) {
    yield* lockAccounts([accountId])
    yield* run(
      'delete from idempotency_keys where account_id = ?1 and expires_at <= ?2',
      accountId,
      msOf(now),
    )
    const used = yield* FIRST_ANSWER.find(
      'from idempotency_keys where account_id = ?1 and key_sha256 = ?2',
      accountId,
      bytesOf(key.keySha256Hex),
    )
    if (used !== null) return { kind: 'repeated', ...used }
  }
  yield* create()
  if (key !== undefined) yield* KEY.insert('idempotency_keys', { accountId, ...key })
  return { kind: 'created' }
}

const KEY = columns({
  accountId: text,
  keySha256Hex: named('key_sha256', sha256),
  requestSha256Hex: named('request_sha256', sha256),
  answer: text,
  expiresAt: instant,
})

const FIRST_ANSWER = columns({ requestSha256Hex: named('request_sha256', sha256), answer: text })

/**
 * Locks accounts before their rows are counted. The lock does not include the key, so that rows that reference the account can still be
 * written. The order avoids deadlocks.
 */
export function lockAccounts(accountIds: readonly string[]): Work<void> {
  return lock('select 1 from accounts where id = any(?1) order by id for no key update', accountIds)
}

/** The rows of an account in a table. */
export function* countOf(table: string, accountId: string): Work<number> {
  const count = `select count(*) as count from ${table} where account_id = ?1`
  return (yield* get<{ count: number }>(count, accountId))?.count ?? 0
}

function* usageOf(accountId: string): Work<Usage> {
  return (yield* get<Usage>(USAGE, accountId)) ?? { hooks: 0, storefronts: 0 }
}

type Usage = { readonly hooks: number; readonly storefronts: number }

/** The usage of an account per limit. */
const USAGE = `select
  (select count(*) from hooks where account_id = ?1 and deleted_at is null) as hooks,
  (select count(*) from (
    select w.store, w.app_id, coalesce(w.storefront, 'us') as code from watches w join hooks h on h.id = w.hook_id
    where w.account_id = ?1 and h.status <> 'gone' and h.deleted_at is null
      and (w.storefront is null or w.storefront not like '%,%')
    union
    select w.store, w.app_id, s.code from watches w join hooks h on h.id = w.hook_id
    join ${ALL_STOREFRONTS} s on ${hasStorefront('w.storefront', 's.code')}
    where w.account_id = ?1 and h.status <> 'gone' and h.deleted_at is null and w.storefront like '%,%'
    union
    select store, app_id, storefront from tracked_storefronts where account_id = ?1) tracked) as storefronts`

/** Call it before adding one more. Throws `LimitReached` when the limit is reached. */
export function checkRoom(what: LimitReached['what'], count: number, max: number): void {
  if (count >= max) throw new LimitReached(what, max)
}

/**
 * Throws `LimitReached` when a change made an account exceed a limit. An account above a limit may still reduce its
 * usage.
 */
function checkUsage(before: Usage, after: Usage, limits: AccountLimits): void {
  checkGrowth('hooks', before.hooks, after.hooks, limits.hooksMax)
  checkGrowth('storefronts', before.storefronts, after.storefronts, limits.storefrontsMax)
}

/** Throws `LimitReached` when a change made a count exceed its limit, but not when it reduced the count. */
export function checkGrowth(what: LimitReached['what'], before: number, after: number, max: number): void {
  if (after > max && after > before) throw new LimitReached(what, max)
}
