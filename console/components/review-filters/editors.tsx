import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../data/apps.ts'
import { requestedFeaturesQuery } from '../../data/reviews.ts'
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
  const { store, app_id } = filters
  const features = useQuery(requestedFeaturesQuery({ store, app_id }))
  return (
    <OptionList
      label={label}
      options={(features.data ?? []).map(({ feature_slug, count }) => ({
        value: feature_slug,
        label: reviewFilterTexts.featureAndCount(featureName(feature_slug), count),
      }))}
      value={filters.feature_slug}
      onChoose={(feature_slug) => {
        setFilters({ feature_slug })
        close()
      }}
    />
  )
}

/** The exact version, applied on Enter. */
export function VersionEditor({ label, filters: { app_version }, setFilters, close }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('version') ?? '').trim()
        setFilters({ app_version: typed === '' ? undefined : typed })
        close()
      }}
    >
      <TextInput
        name="version"
        aria-label={label}
        placeholder={reviewFilterTexts.versionExample}
        description={reviewFilterTexts.versionNote}
        inputWrapperOrder={['input', 'description']}
        defaultValue={app_version ?? ''}
        maxLength={100}
        size="sm"
        data-autofocus
      />
    </form>
  )
}
