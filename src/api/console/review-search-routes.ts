import type { ReviewSuggestions } from '../../contract/console/review-search.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type ReviewSearchDeps = { readonly operations: Pick<Operations, 'statistics'> }

/** What the search field of the review feed suggests. */
export function reviewSearchRoutes({ operations: { statistics } }: ReviewSearchDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/review-suggestions',
      async run({ caller }): Promise<ReviewSuggestions> {
        const { features, versions } = await statistics.ofSearch(caller.accountId)
        return {
          features: features.map(({ slug, phrase, count }) => ({ slug, phrase, count })),
          versions: versions.map(({ version, count, firstAt }) => ({
            version,
            count,
            firstAt: firstAt.toISOString(),
          })),
        }
      },
    }),
  ]
}
