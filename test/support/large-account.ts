import { instantOf } from '../../src/runtime/instant.ts'
import { hookOf, reviewOf, watchOf } from '../../src/storage/conformance/samples.ts'
import type { TestService } from './service.ts'

const REVIEWS_PER_COMMIT = 5_000
const MINUTE_MS = 60_000

/** Fills an account through storage: destinations for one app and its reviews, one a minute. */
export async function fillAccount(
  { service }: TestService,
  accountId: string,
  app: { readonly store: 'apple' | 'google'; readonly appId: string },
  count: { readonly destinations: number; readonly reviews: number },
  status: 'active' | 'paused' = 'active',
): Promise<void> {
  const { hooks, imports } = service.storage
  const { store, appId } = app
  await hooks.trackStorefronts(accountId, app, ['us'], instantOf(Date.now()))
  for (let nth = 0; nth < count.destinations; nth += 1) {
    const hook = hookOf({
      accountId,
      source: 'console',
      name: `Team ${nth}`,
      status,
      createdAt: instantOf(Date.now()),
    })
    await hooks.create(hook, [watchOf(hook, { store, appId })])
  }
  for (let nth = 0; nth < count.reviews; nth += REVIEWS_PER_COMMIT) {
    const reviews = Array.from({ length: Math.min(REVIEWS_PER_COMMIT, count.reviews - nth) }, (_, index) => {
      const at = new Date(Date.now() - MINUTE_MS * (1 + nth + index))
      return reviewOf({
        reviewId: `${nth + index}`,
        store,
        appId,
        shownAt: at,
        occurredAt: at,
        observedAt: at,
      })
    })
    await imports.add(accountId, reviews, instantOf(Date.now()), false)
  }
}
