import { Button, Group } from '@mantine/core'
import type { FilterControls } from '../data/filters.ts'
import { type ReviewSearch, YES_NO } from '../data/search.ts'
import { FilterSelect } from '../ui/FilterSelect.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { counted } from '../util/numbers.ts'
import {
  LANGUAGE_OPTIONS,
  optionsOf,
  SENTIMENT_OPTIONS,
  SEVERITY_OPTIONS,
  STOREFRONT_OPTIONS,
  THEME_OPTIONS,
} from '../util/options.ts'
import { AppSelect } from './AppSelect.tsx'

const STARS = [
  { value: '1,2', label: '1 and 2 stars' },
  { value: '4,5', label: '4 and 5 stars' },
  ...[1, 2, 3, 4, 5].map((stars) => ({ value: String(stars), label: counted(stars, 'star') })),
]
const BUGS = optionsOf(YES_NO, { true: 'Bug reports', false: 'No bug report' })
const REQUESTS = optionsOf(YES_NO, { true: 'Feature requests', false: 'No feature request' })

/** The filters of the review feed. */
export function ReviewFilters({ filters, setFilters, clear, any }: FilterControls<ReviewSearch>) {
  return (
    <Group gap="xs" role="search" aria-label="Filter reviews" align="flex-end">
      <SearchField label="Search in reviews" value={filters.text} onChange={(text) => setFilters({ text })} />
      <AppSelect
        label="App"
        placeholder="Any"
        app={filters}
        onChoose={(app) => setFilters({ store: app?.store, appId: app?.appId })}
        clearable
        w={220}
        size="sm"
      />
      <FilterSelect
        label="Stars"
        options={STARS}
        value={filters.stars}
        onChange={(stars) => setFilters({ stars })}
      />
      <FilterSelect
        label="Sentiment"
        options={SENTIMENT_OPTIONS}
        value={filters.sentiment}
        onChange={(sentiment) => setFilters({ sentiment })}
        width={130}
      />
      <FilterSelect
        label="Theme"
        options={THEME_OPTIONS}
        value={filters.theme}
        onChange={(theme) => setFilters({ theme })}
        width={190}
      />
      <FilterSelect
        label="Severity"
        options={SEVERITY_OPTIONS}
        value={filters.severity}
        onChange={(severity) => setFilters({ severity })}
        width={120}
      />
      <FilterSelect
        label="Bug report"
        options={BUGS}
        value={filters.bug}
        onChange={(bug) => setFilters({ bug })}
      />
      <FilterSelect
        label="Feature request"
        options={REQUESTS}
        value={filters.request}
        onChange={(request) => setFilters({ request })}
        width={170}
      />
      <FilterSelect
        label="Language"
        options={LANGUAGE_OPTIONS}
        value={filters.language}
        onChange={(language) => setFilters({ language })}
      />
      <FilterSelect
        label="Storefront"
        options={STOREFRONT_OPTIONS}
        value={filters.storefront}
        onChange={(storefront) => setFilters({ storefront })}
        width={160}
      />
      {any && (
        <Button variant="subtle" size="sm" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
