import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { SENTIMENTS, SEVERITIES, THEMES } from '../../src/model/vocabulary.ts'
import type { useFilters } from '../data/filters.ts'
import { LANGUAGE_OPTIONS, type Option, optionsOf, STOREFRONT_OPTIONS } from '../util/options.ts'
import { counted } from '../util/words.ts'
import { AppSelect } from './AppSelect.tsx'

const STARS = [
  { value: '1,2', label: '1 and 2 stars' },
  { value: '3', label: '3 stars' },
  { value: '4,5', label: '4 and 5 stars' },
  ...[1, 2, 4, 5].map((stars) => ({
    value: String(stars),
    label: counted(stars, 'star'),
  })),
]
/** Typing pauses this long before the list is asked again. */
const TYPING_PAUSE_MS = 300

/** Every filter of the review feed; each stands in the address. */
export function ReviewFilters({ filters, setFilter, clear, any }: ReturnType<typeof useFilters>) {
  const choose = (name: string, label: string, data: readonly Option[], width = 150) => (
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
      <AppSelect
        aria-label="App"
        placeholder="App"
        app={filters.store && filters.appId ? { store: filters.store, appId: filters.appId } : null}
        onChoose={(app) => setFilter({ store: app?.store ?? null, appId: app?.appId ?? null })}
        clearable
        w={220}
        size="sm"
      />
      {choose('stars', 'Stars', STARS)}
      {choose('sentiment', 'Sentiment', optionsOf(SENTIMENTS))}
      {choose('theme', 'Theme', optionsOf(THEMES), 170)}
      {choose('severity', 'Severity', optionsOf(SEVERITIES), 120)}
      {choose('bug', 'Bug', [
        { value: 'true', label: 'Reports a bug' },
        { value: 'false', label: 'No bug' },
      ])}
      {choose('request', 'Request', [
        { value: 'true', label: 'Asks for something' },
        { value: 'false', label: 'No request' },
      ])}
      {choose('language', 'Language', LANGUAGE_OPTIONS)}
      {choose('storefront', 'Storefront', STOREFRONT_OPTIONS, 160)}
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
  // What the address was asked to hold: its change comes late, and must not take back what was typed meanwhile.
  const asked = useRef(value)
  const ask = useDebouncedCallback((text: string) => {
    asked.current = text
    onChange(text)
  }, TYPING_PAUSE_MS)
  useEffect(() => {
    if (value === asked.current) return
    ask.cancel()
    asked.current = value
    setTyped(value)
  }, [value, ask])
  return (
    <TextInput
      aria-label="Search in reviews"
      placeholder="Search in reviews"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        ask(event.currentTarget.value)
      }}
      w={220}
      size="sm"
    />
  )
}
