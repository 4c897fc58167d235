import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DEAD_REASONS, EVENT_TYPES, FAILURE_REASONS } from '../../src/model/vocabulary.ts'
import { destinationsQuery } from '../data/destinations.ts'
import type { useFilters } from '../data/filters.ts'
import { optionsOf } from '../util/options.ts'
import { AppSelect } from './AppSelect.tsx'

const STATUSES = [
  { value: 'pending', label: 'Waiting' },
  { value: 'held', label: 'Held' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead letter' },
]

/** Filters of the delivery log and of the dead letters; each stands in the address. */
export function DeliveryFilters(props: ReturnType<typeof useFilters> & { readonly dead?: boolean }) {
  const { filters, setFilter, clear, any, dead = false } = props
  const destinations = useQuery(destinationsQuery)
  return (
    <Group gap="xs" role="search" aria-label={dead ? 'Filter dead letters' : 'Filter deliveries'}>
      {!dead && (
        <Select
          aria-label="State"
          placeholder="State"
          data={STATUSES}
          value={filters.status ?? null}
          onChange={(value) => setFilter('status', value)}
          clearable
          w={140}
        />
      )}
      <Select
        aria-label="Destination"
        placeholder="Destination"
        error={destinations.isError ? 'Your destinations could not be loaded' : null}
        data={(destinations.data ?? []).map((line) => ({ value: line.id, label: line.targetUrl }))}
        value={filters.destination ?? null}
        onChange={(value) => setFilter('destination', value)}
        clearable
        searchable
        w={240}
      />
      <AppSelect
        aria-label="App"
        placeholder="App"
        app={filters.store && filters.appId ? { store: filters.store, appId: filters.appId } : null}
        onChoose={(app) => setFilter({ store: app?.store ?? null, appId: app?.appId ?? null })}
        clearable
        w={200}
      />
      <Select
        aria-label="Event type"
        placeholder="Event type"
        data={[...EVENT_TYPES]}
        value={filters.eventType ?? null}
        onChange={(value) => setFilter('eventType', value)}
        clearable
        w={160}
      />
      <Select
        aria-label="Reason"
        placeholder="Reason"
        data={optionsOf([...new Set([...(dead ? DEAD_REASONS : []), ...FAILURE_REASONS])])}
        value={filters.reason ?? null}
        onChange={(value) => setFilter('reason', value)}
        clearable
        searchable
        w={180}
      />
      <TextInput
        aria-label="Since"
        type="datetime-local"
        value={localValue(filters.since)}
        onChange={(event) => setFilter('since', instantOf(event.currentTarget.value))}
        w={200}
      />
      {any && (
        <Button variant="subtle" onClick={clear}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}

/** What the field shows for an instant of the address: local time, to the minute. */
function localValue(instant: string | undefined): string {
  if (instant === undefined) return ''
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function instantOf(local: string): string | null {
  const date = new Date(local)
  return local === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
