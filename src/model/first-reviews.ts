import type { Hook, Watch } from './hook.ts'
import type { NamedSourceHealth } from './source-health.ts'
import type { Store } from './vocabulary.ts'

const HOUR_MS = 3_600_000

/** The usual time between a review's date and the store's first page with it (docs/stores.md, Delay). */
export const DELAY_MS: Readonly<Record<Store, number>> = { apple: 28 * HOUR_MS, google: 24 * HOUR_MS }

/**
 * When the store probably shows the first reviews of this watch: those written since its creation. The age of the newest review of any
 * source is at most the present delay plus the time since it appeared. So an age below the usual delay counts, and one above it only when
 * the reference check found the store late.
 */
function firstReviewsAt(
  { store, createdAt }: Pick<Watch, 'store' | 'createdAt'>,
  sources: readonly NamedSourceHealth[],
  now: Date,
): Date {
  const ofStore = sources.filter((source) => source.store === store)
  const ages = ofStore.flatMap(({ newestAt }) =>
    newestAt === null ? [] : [now.getTime() - newestAt.getTime()],
  )
  const ageMs = Math.min(...ages)
  const usualMs = DELAY_MS[store]
  const isLate = Number.isFinite(ageMs) && ofStore.some(({ fault }) => fault === 'delayed')
  const isMeasured = ageMs > 0 && (ageMs < usualMs || isLate)
  return new Date(createdAt.getTime() + (isMeasured ? ageMs : usualMs))
}

/** The next time at which a watch of the hook probably gets its first reviews; null when all of them had the time for it. */
export function nextFirstReviewsAt(
  hook: { readonly watches: readonly Pick<Watch, 'eventType' | 'store' | 'createdAt'>[] } & Pick<
    Hook,
    'lateReviewsHours'
  >,
  sources: readonly NamedSourceHealth[],
  now: Date,
): Date | null {
  const lateMs = hook.lateReviewsHours * HOUR_MS
  const expected = hook.watches
    .filter(({ eventType }) => eventType === 'review.created')
    .map((watch) => new Date(firstReviewsAt(watch, sources, now).getTime() - lateMs))
    .filter((at) => at > now)
  return expected.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null)
}
