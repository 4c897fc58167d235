import type { ReviewSearch } from '../../data/search.ts'
import { reviewFilterTexts } from '../../messages/reviews.tsx'
import { monthAndYear } from '../../util/time.ts'

const MONTHS = 12

/** Reviews since one of the last months began, the newest month first, or since the first review of a version. */
export function sinceSuggestions(
  now: Date,
  versions: readonly { readonly version: string; readonly firstAt: string }[],
): { readonly key: string; readonly label: string; readonly filters: ReviewSearch }[] {
  const months = Array.from(
    { length: MONTHS },
    (_, ago) => new Date(now.getFullYear(), now.getMonth() - ago, 1),
  )
  return [
    ...versions.map(({ version, firstAt }) => ({
      key: `since-version/${version}`,
      label: reviewFilterTexts.sinceVersion(version),
      filters: { since: firstAt },
    })),
    ...months.map((month) => ({
      key: `since/${month.getTime()}`,
      label: reviewFilterTexts.sinceNamed(monthAndYear(month)),
      filters: { since: month.toISOString() },
    })),
  ]
}
