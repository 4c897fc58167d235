import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'
import type { useFilters } from '../data/filters.ts'
import { languageName, storefrontName } from '../util/storefronts.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'sv', 'pt', 'ja', 'ko', 'hi'] as const
const STARS = [
  { value: '1,2', label: '1 and 2 stars' },
  { value: '3', label: '3 stars' },
  { value: '4,5', label: '4 and 5 stars' },
  ...[1, 2, 4, 5].map((stars) => ({
    value: String(stars),
    label: stars === 1 ? '1 star' : `${stars} stars`,
  })),
]
/** Typing pauses this long before the list is asked again. */
const TYPING_PAUSE_MS = 300

const words = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** Every filter of the review feed; each stands in the address. */
export function ReviewFilters({ filters, setFilter, clear, any }: ReturnType<typeof useFilters>) {
  const apps = useQuery(appsQuery)
  const app = filters.store && filters.appId ? `${filters.store}/${filters.appId}` : null
  const choose = (
    name: string,
    label: string,
    data: readonly { readonly value: string; readonly label: string }[],
    width = 150,
  ) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={[...data]}
      value={filters[name] ?? null}
      onChange={(value) => setFilter(name, value)}
      clearable
      searchable={data.length > 8}
      w={width}
      size="sm"
    />
  )
  return (
    <Group gap="xs" role="search" aria-label="Filter reviews">
      <SearchText value={filters.text ?? ''} onChange={(value) => setFilter('text', value)} />
      <Select
        aria-label="App"
        placeholder="App"
        data={(apps.data ?? []).map((line) => ({
          value: `${line.store}/${line.appId}`,
          label: `${line.name ?? line.appId} (${line.store === 'apple' ? 'App Store' : 'Google Play'})`,
        }))}
        value={app}
        onChange={(value) => {
          const [store = null, ...rest] = value?.split('/') ?? []
          setFilter({ store, appId: rest.length === 0 ? null : rest.join('/') })
        }}
        clearable
        searchable
        w={220}
        size="sm"
      />
      {choose('stars', 'Stars', STARS)}
      {choose('sentiment', 'Sentiment', words(SENTIMENTS))}
      {choose('theme', 'Theme', words(THEMES), 170)}
      {choose('severity', 'Severity', words(SEVERITIES), 120)}
      {choose('bug', 'Bug', [
        { value: 'true', label: 'Reports a bug' },
        { value: 'false', label: 'No bug' },
      ])}
      {choose('request', 'Request', [
        { value: 'true', label: 'Asks for something' },
        { value: 'false', label: 'No request' },
      ])}
      {choose(
        'language',
        'Language',
        LANGUAGES.map((code) => ({ value: code, label: languageName(code) })),
      )}
      {choose(
        'storefront',
        'Storefront',
        STOREFRONTS.map((code) => ({ value: code, label: storefrontName(code) })),
        160,
      )}
      {any && (
        <Button variant="subtle" size="sm" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}

function SearchText({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <TextInput
      aria-label="Search in reviews"
      placeholder="Search in reviews"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      w={220}
      size="sm"
    />
  )
}
