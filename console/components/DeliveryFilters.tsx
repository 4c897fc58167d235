import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DEAD_REASONS, EVENT_TYPES, FAILURE_REASONS } from '../../src/model/vocabulary.ts'
import { appsQuery } from '../data/apps.ts'
import { destinationsQuery } from '../data/destinations.ts'
import type { useFilters } from '../data/filters.ts'

const STATUSES = [
  { value: 'pending', label: 'Waiting' },
  { value: 'held', label: 'Held' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead letter' },
]
const words = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** Filters of the delivery log and of the dead letters; each stands in the address. */
export function DeliveryFilters(props: ReturnType<typeof useFilters> & { readonly dead?: boolean }) {
  const { filters, setFilter, clear, any, dead = false } = props
  const destinations = useQuery(destinationsQuery)
  const apps = useQuery(appsQuery)
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
        data={(destinations.data ?? []).map((line) => ({ value: line.id, label: line.targetUrl }))}
        value={filters.destination ?? null}
        onChange={(value) => setFilter('destination', value)}
        clearable
        searchable
        w={240}
      />
      <Select
        aria-label="App"
        placeholder="App"
        data={(apps.data ?? []).map((app) => ({
          value: `${app.store}/${app.appId}`,
          label: `${app.name ?? app.appId} (${app.store})`,
        }))}
        value={filters.store && filters.appId ? `${filters.store}/${filters.appId}` : null}
        onChange={(value) => {
          const slash = value?.indexOf('/') ?? -1
          setFilter({ store: value?.slice(0, slash) ?? null, appId: value?.slice(slash + 1) ?? null })
        }}
        clearable
        searchable
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
        data={words([...new Set([...(dead ? DEAD_REASONS : []), ...FAILURE_REASONS])])}
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
