import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EVENT_TYPE_NAMES, REASON_NAMES, STATUS_NAMES } from '../../src/contract/console/display-names.ts'
import { EVENT_TYPES, FAILURE_REASONS } from '../../src/model/vocabulary.ts'
import { destinationsQuery } from '../data/destinations.ts'
import { DELIVERY_STATES, type DeadSearch, type DeliverySearch, REASONS } from '../data/search.ts'
import { AppSelect } from '../forms/AppSelect.tsx'
import { commonTexts } from '../messages/common.ts'
import { deadLetterTexts, deliveryTexts } from '../messages/deliveries.tsx'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { FilterArea } from '../ui/FilterArea.tsx'
import { FilterSelect } from '../ui/FilterSelect.tsx'
import type { FilterControls } from '../util/filters.ts'
import { optionsOf } from '../util/options.ts'
import { destinationName } from './destination/destination-name.ts'

const STATES = optionsOf(DELIVERY_STATES, STATUS_NAMES)
const TYPES = optionsOf(EVENT_TYPES, EVENT_TYPE_NAMES)
const FAILURES = optionsOf(FAILURE_REASONS, REASON_NAMES)
const FAILURES_AND_DEAD = optionsOf(REASONS, REASON_NAMES)

/** Filters of the deliveries. */
export function DeliveryFilters(list: FilterControls<DeliverySearch>) {
  return (
    <Filters list={list} label={deliveryTexts.filter} what={deliveryTexts.name} reasons={FAILURES}>
      <FilterSelect
        label={commonTexts.state}
        options={STATES}
        value={list.filters.status}
        onChange={(status) => list.setFilters({ status })}
        width={140}
      />
      <EventIdField
        key={list.filters.event_id ?? ''}
        value={list.filters.event_id}
        onChange={(event_id) => list.setFilters({ event_id })}
      />
    </Filters>
  )
}

/** Filters of the dead letters. */
export function DeadLetterFilters(list: FilterControls<DeadSearch>) {
  return (
    <Filters
      list={list}
      label={deliveryTexts.filterDead}
      what={deadLetterTexts.name}
      reasons={FAILURES_AND_DEAD}
    />
  )
}

function Filters({
  list,
  label,
  what,
  reasons,
  children,
}: {
  readonly list: FilterControls<DeadSearch>
  readonly label: string
  readonly what: string
  readonly reasons: typeof FAILURES_AND_DEAD | typeof FAILURES
  readonly children?: ReactNode
}) {
  const destinations = useQuery(destinationsQuery)
  const { filters, setFilters } = list
  return (
    <FilterArea list={list} label={label} what={what}>
      {children}
      <Select
        label={deliveryTexts.destination}
        placeholder={commonTexts.any}
        error={destinations.isError ? deliveryTexts.destinationsFailed : null}
        data={(destinations.data ?? []).map((line) => ({ value: line.id, label: destinationName(line) }))}
        value={filters.hook_id ?? null}
        onChange={(id) => setFilters({ hook_id: id ?? undefined })}
        clearable
        searchable
        w={240}
      />
      <AppSelect
        label={deliveryTexts.app}
        placeholder={commonTexts.any}
        app={filters}
        onChoose={(app) => setFilters({ store: app?.store, app_id: app?.app_id })}
        clearable
        w={200}
      />
      <FilterSelect
        label={commonTexts.eventType}
        options={TYPES}
        value={filters.event_type}
        onChange={(event_type) => setFilters({ event_type })}
      />
      <FilterSelect
        label={deliveryTexts.reason}
        options={reasons}
        value={filters.reason}
        onChange={(reason) => setFilters({ reason })}
        width={200}
      />
      <DateTimeField
        label={commonTexts.since}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
      />
    </FilterArea>
  )
}

const EVENT_ID = /^[0-9a-f]{64}$/

/** Filters once the field contains a complete event ID. */
function EventIdField({
  value = '',
  onChange,
}: {
  readonly value: string | undefined
  readonly onChange: (eventId: string | undefined) => void
}) {
  const [text, setText] = useState(value)
  const isComplete = text === '' || EVENT_ID.test(text)
  return (
    <TextInput
      label={deliveryTexts.eventId}
      placeholder={commonTexts.any}
      value={text}
      error={isComplete ? null : deliveryTexts.eventIdInvalid}
      onChange={(event) => {
        const typed = event.currentTarget.value.trim().toLowerCase()
        setText(typed)
        if (typed === '') onChange(undefined)
        else if (EVENT_ID.test(typed)) onChange(typed)
      }}
      w={200}
    />
  )
}
