import { ALL_STOREFRONTS, hasStorefront } from '../hooks/storefront-text.ts'
import { LimitReached } from '../port/errors.ts'
import type { AccountLimits } from '../port/hooks.ts'

/** The usage of an account per limit. The first parameter is the account, on both engines. */
export const usageQuery = (account: string) => `select
  (select count(*) from hooks where account_id = ${account} and deleted_at is null) as hooks,
  (select count(*) from (
    select w.store, w.app_id, coalesce(w.storefront, 'us') as code from watches w join hooks h on h.id = w.hook_id
    where w.account_id = ${account} and h.status <> 'gone' and h.deleted_at is null
      and (w.storefront is null or w.storefront not like '%,%')
    union
    select w.store, w.app_id, s.code from watches w join hooks h on h.id = w.hook_id
    join ${ALL_STOREFRONTS} s on ${hasStorefront('w.storefront', 's.code')}
    where w.account_id = ${account} and h.status <> 'gone' and h.deleted_at is null and w.storefront like '%,%'
    union
    select store, app_id, storefront from tracked_storefronts where account_id = ${account}) tracked) as storefronts`

export type Usage = { readonly hooks: number; readonly storefronts: number }

/** Call it before adding one more. Throws `LimitReached` when the limit is reached. */
export function checkRoom(what: LimitReached['what'], count: number, max: number): void {
  if (count >= max) throw new LimitReached(what, max)
}

/**
 * Throws `LimitReached` when a change made an account exceed a limit. An account above a limit may still reduce its
 * usage.
 */
export function checkUsage(before: Usage, after: Usage, limits: AccountLimits): void {
  checkGrowth('hooks', before.hooks, after.hooks, limits.hooksMax)
  checkGrowth('storefronts', before.storefronts, after.storefronts, limits.storefrontsMax)
}

/** Throws `LimitReached` when a change made a count exceed its limit, but not when it reduced the count. */
export function checkGrowth(what: LimitReached['what'], before: number, after: number, max: number): void {
  if (after > max && after > before) throw new LimitReached(what, max)
}
