import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../data/apps.ts'
import { reviewSuggestionsQuery } from '../../data/reviews.ts'
import type { ReviewSearch } from '../../data/search.ts'
import { appOptions, parseAppKey } from '../../forms/AppSelect.tsx'
import { reviewFilterTexts } from '../../messages/reviews.tsx'
import type { FilterEditorProps } from '../../ui/FilterChips.tsx'
import { OptionList } from '../../ui/OptionList.tsx'
import { featureName } from '../../util/feature-name.ts'

type Props = FilterEditorProps<ReviewSearch>

export function AppEditor({ label, filters: { store, app_id }, setFilters, close }: Props) {
  const apps = useQuery(appsQuery)
  return (
    <OptionList
      label={label}
      options={appOptions(apps.data ?? [])}
      query={apps}
      value={store !== undefined && app_id !== undefined ? `${store}/${app_id}` : undefined}
      onChoose={(value) => {
        const app = parseAppKey(value)
        setFilters({ store: app?.store, app_id: app?.app_id })
        close()
      }}
    />
  )
}

/** The features that reviews request, most frequent first. */
export function FeatureEditor({ label, filters, setFilters, close }: Props) {
  const suggestions = useQuery(reviewSuggestionsQuery)
  return (
    <OptionList
      label={label}
      query={suggestions}
      options={(suggestions.data?.features ?? []).map(({ slug, count }) => ({
        value: slug,
        label: reviewFilterTexts.nameAndCount(featureName(slug), count),
      }))}
      value={filters.feature_slug}
      onChoose={(feature_slug) => {
        setFilters({ feature_slug })
        close()
      }}
    />
  )
}

/** The versions that reviews name, newest first. */
export function VersionEditor({ label, filters, setFilters, close }: Props) {
  const suggestions = useQuery(reviewSuggestionsQuery)
  return (
    <OptionList
      label={label}
      query={suggestions}
      options={(suggestions.data?.versions ?? []).map(({ version, count }) => ({
        value: version,
        label: reviewFilterTexts.nameAndCount(version, count),
      }))}
      value={filters.app_version}
      onChoose={(app_version) => {
        setFilters({ app_version })
        close()
      }}
    />
  )
}
