import { Pill, TextInput } from '@mantine/core'
import { type ReviewSearch, YES_NO } from '../data/search.ts'
import { AppSelect } from '../forms/AppSelect.tsx'
import { commonTexts } from '../messages/common.ts'
import { reviewFilterTexts, reviewTexts } from '../messages/reviews.tsx'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { FilterArea } from '../ui/FilterArea.tsx'
import { FilterSelect } from '../ui/FilterSelect.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { featureName } from '../util/feature-name.ts'
import type { FilterControls } from '../util/filters.ts'
import {
  LANGUAGE_OPTIONS,
  optionsOf,
  SENTIMENT_OPTIONS,
  SEVERITY_OPTIONS,
  STOREFRONT_OPTIONS,
  THEME_OPTIONS,
} from '../util/options.ts'

const STARS = [
  { value: '1,2', label: reviewFilterTexts.stars1And2 },
  { value: '4,5', label: reviewFilterTexts.stars4And5 },
  ...[1, 2, 3, 4, 5].map((stars) => ({ value: String(stars), label: reviewFilterTexts.starCount(stars) })),
]
const BUGS = optionsOf(YES_NO, { true: reviewFilterTexts.bugReports, false: reviewFilterTexts.noBugReport })
const REQUESTS = optionsOf(YES_NO, {
  true: reviewFilterTexts.featureRequests,
  false: reviewFilterTexts.noFeatureRequest,
})

/** The filters of the review feed. */
export function ReviewFilters(controls: FilterControls<ReviewSearch>) {
  const { filters, setFilters } = controls
  return (
    <FilterArea list={controls} label={reviewFilterTexts.label} what={reviewTexts.name}>
      <SearchField
        label={reviewFilterTexts.search}
        value={filters.text}
        onChange={(text) => setFilters({ text })}
      />
      <AppSelect
        label={reviewFilterTexts.app}
        placeholder={commonTexts.any}
        app={filters}
        onChoose={(app) => setFilters({ store: app?.store, app_id: app?.app_id })}
        clearable
        w={220}
        size="sm"
      />
      <FilterSelect
        label={reviewFilterTexts.stars}
        options={STARS}
        value={filters.stars}
        onChange={(stars) => setFilters({ stars })}
      />
      <FilterSelect
        label={reviewFilterTexts.sentiment}
        options={SENTIMENT_OPTIONS}
        value={filters.sentiment}
        onChange={(sentiment) => setFilters({ sentiment })}
        width={130}
      />
      <FilterSelect
        label={reviewFilterTexts.theme}
        options={THEME_OPTIONS}
        value={filters.theme}
        onChange={(theme) => setFilters({ theme })}
        width={190}
      />
      <FilterSelect
        label={reviewFilterTexts.severity}
        options={SEVERITY_OPTIONS}
        value={filters.severity}
        onChange={(severity) => setFilters({ severity })}
        width={120}
      />
      <FilterSelect
        label={reviewFilterTexts.bugReport}
        options={BUGS}
        value={filters.is_bug_report}
        onChange={(is_bug_report) => setFilters({ is_bug_report })}
      />
      <FilterSelect
        label={reviewFilterTexts.featureRequest}
        options={REQUESTS}
        value={filters.is_feature_request}
        onChange={(is_feature_request) => setFilters({ is_feature_request })}
        width={170}
      />
      <FilterSelect
        label={reviewFilterTexts.language}
        options={LANGUAGE_OPTIONS}
        value={filters.language}
        onChange={(language) => setFilters({ language })}
      />
      <FilterSelect
        label={commonTexts.storefront}
        options={STOREFRONT_OPTIONS}
        value={filters.country}
        onChange={(country) => setFilters({ country })}
        width={160}
      />
      <TextFilter
        key={filters.app_version ?? ''}
        label={reviewFilterTexts.version}
        value={filters.app_version}
        onChange={(app_version) => setFilters({ app_version })}
      />
      <DateTimeField
        label={commonTexts.since}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
        width={150}
      />
      <DateTimeField
        label={commonTexts.until}
        value={filters.until}
        onChange={(until) => setFilters({ until })}
        width={150}
      />
      {filters.feature_slug !== undefined && (
        <Pill
          size="lg"
          withRemoveButton
          removeButtonProps={{
            'aria-label': reviewFilterTexts.removeFeature,
            'aria-hidden': false,
            tabIndex: 0,
          }}
          onRemove={() => setFilters({ feature_slug: undefined })}
        >
          {reviewFilterTexts.feature(featureName(filters.feature_slug))}
        </Pill>
      )}
    </FilterArea>
  )
}

/** A filter by an exact text, applied on Enter and on blur. */
function TextFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}) {
  const apply = (typed: string) => {
    const next = typed.trim() === '' ? undefined : typed.trim()
    if (next !== value) onChange(next)
  }
  return (
    <TextInput
      label={label}
      placeholder={commonTexts.any}
      defaultValue={value ?? ''}
      maxLength={100}
      w={110}
      size="sm"
      onBlur={(event) => apply(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value)
      }}
    />
  )
}
