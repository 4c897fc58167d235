import { useQuery } from '@tanstack/react-query'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { appsQuery } from '../../data/apps.ts'
import { reviewSuggestionsQuery } from '../../data/reviews.ts'
import type { ReviewSearch } from '../../data/search.ts'
import { reviewFilterTexts } from '../../messages/reviews.tsx'
import { featureName } from '../../util/feature-name.ts'
import { THEME_OPTIONS } from '../../util/options.ts'
import { sinceSuggestions } from './since-suggestions.ts'

export type Suggestion = {
  readonly key: string
  readonly label: string
  /** What choosing it sets. */
  readonly filters: ReviewSearch
}

const SHOWN_MAX = 8
const SINCE = 'since'

/** Filters whose name has every typed word, such as "Feature request: Dark mode (36)". Loads their values when something is typed. */
export function useSuggestions(typed: string): Suggestion[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const enabled = words.length > 0
  const { data: found } = useQuery({ ...reviewSuggestionsQuery, enabled })
  const { data: apps } = useQuery({ ...appsQuery, enabled })
  if (!enabled) return []
  const all: Suggestion[] = [
    ...(found?.features ?? []).map(({ slug, phrase, count }) => ({
      key: `feature/${slug}`,
      label: reviewFilterTexts.requestAndCount(phrase ?? featureName(slug), count),
      filters: { feature_slug: slug },
    })),
    ...(apps ?? []).map(({ store, app_id, name }) => ({
      key: `app/${store}/${app_id}`,
      label: reviewFilterTexts.appIn(name ?? app_id, STORE_NAMES[store]),
      filters: { store, app_id },
    })),
    ...(found?.versions ?? []).map(({ version, count }) => ({
      key: `version/${version}`,
      label: reviewFilterTexts.versionAndCount(version, count),
      filters: { app_version: version },
    })),
    ...THEME_OPTIONS.map(({ value, label }) => ({
      key: `theme/${value}`,
      label: reviewFilterTexts.themeNamed(label),
      filters: { theme: value },
    })),
    // Only for who types "since": a version and a month have other meanings too.
    ...(words.some((word) => word.length > 2 && SINCE.startsWith(word))
      ? sinceSuggestions(new Date(), found?.versions ?? [])
      : []),
  ]
  return all
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .slice(0, SHOWN_MAX)
}
