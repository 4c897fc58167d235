import { Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { DestinationLine } from '../../src/contract/console/destinations.ts'
import { DESTINATION_STATE_NAMES } from '../../src/contract/console/display-names.ts'
import { DestinationBulk } from '../components/destination/DestinationBulk.tsx'
import { DestinationTable } from '../components/destination/DestinationTable.tsx'
import { destinationName } from '../components/destination/destination-name.ts'
import { MayChange, useMayChange } from '../components/MayChange.tsx'
import { destinationsQuery } from '../data/destinations.ts'
import { type DestinationSearch, destinationSearch } from '../data/search.ts'
import { commonTexts } from '../messages/common.ts'
import { destinationTexts } from '../messages/destinations.tsx'
import { FilterSelect } from '../ui/FilterSelect.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { selectedIn, useSelection } from '../ui/table/selection.ts'
import type { Sort } from '../ui/table/sort.ts'
import { DESTINATION_STATES, isInState, stateRank } from '../util/destination-state.ts'
import { filterControls } from '../util/filters.ts'
import { optionsOf } from '../util/options.ts'
import { subscriptionsOf } from '../util/subscriptions.ts'

const route = getRouteApi('/signed-in/destinations')

const STATES = optionsOf(DESTINATION_STATES, DESTINATION_STATE_NAMES)

/** The destinations of the account, created here or through the API. */
export function Destinations() {
  const destinations = useQuery(destinationsQuery)
  const navigate = useNavigate()
  const { sort, ...filters } = route.useSearch()
  const show = (search: DestinationSearch) => void navigate({ to: '/destinations', search, replace: true })
  const list = filterControls<Omit<DestinationSearch, 'sort'>>(filters, (next) => show({ ...next, sort }))
  const mayChange = useMayChange()
  const selection = useSelection()
  const shown = useMemo(
    () => shownOf(destinations.data ?? [], { text: filters.text, state: filters.state }),
    [destinations.data, filters.text, filters.state],
  )
  const add = (
    <MayChange>
      <ButtonLink to="/destinations/new" leftSection={<IconPlus size={16} aria-hidden />}>
        {destinationTexts.add}
      </ButtonLink>
    </MayChange>
  )
  return (
    <>
      <PageHeader title={destinationTexts.title} about={destinationTexts.about} actions={add} />
      {destinations.isPending && <LoadingLines />}
      {destinations.isError && <Failed error={destinations.error} onRetry={() => destinations.refetch()} />}
      {destinations.data?.length === 0 && (
        <Empty title={destinationTexts.emptyTitle} action={add}>
          {destinationTexts.emptyNote}
        </Empty>
      )}
      {destinations.data !== undefined && destinations.data.length > 0 && (
        <Stack>
          <Group gap="xs" align="flex-end" role="search" aria-label={destinationTexts.filter}>
            <SearchField
              label={destinationTexts.search}
              value={list.filters.text}
              onChange={(text) => list.setFilters({ text })}
              width={360}
            />
            <FilterSelect
              label={commonTexts.state}
              options={STATES}
              value={list.filters.state}
              onChange={(state) => list.setFilters({ state })}
            />
          </Group>
          {shown.length === 0 && <NoMatch what={destinationTexts.name} onClear={list.clear} />}
          {shown.length > 0 && (
            <>
              <MayChange>
                <DestinationBulk
                  ids={selectedIn(shown, ({ id }) => id, selection)}
                  onClear={() => selection.set(new Set())}
                />
              </MayChange>
              <DestinationTable
                lines={shown}
                selection={mayChange ? selection : undefined}
                sort={sort}
                onSort={(next) => show({ ...filters, sort: sortIn(next) })}
              />
            </>
          )}
        </Stack>
      )}
    </>
  )
}

/** The service sorts by creation; the table by its columns. */
function sortIn(sort: Sort | undefined): DestinationSearch['sort'] {
  return destinationSearch.parse({ sort }).sort
}

/** The worst state first, then as the service sorts them. */
function shownOf(
  lines: readonly DestinationLine[],
  { text = '', state }: Pick<DestinationSearch, 'text' | 'state'>,
): DestinationLine[] {
  const wanted = text.trim().toLowerCase()
  const found = lines.filter(
    (line) => (state === undefined || isInState(line, state)) && textOf(line).includes(wanted),
  )
  return found.toSorted((one, other) => stateRank(one) - stateRank(other))
}

function textOf(line: DestinationLine): string {
  const { targetUrl, description, source, externalRef } = line
  const sentences = subscriptionsOf(line).map(({ sentence }) => sentence)
  return [destinationName(line), targetUrl, description, source, externalRef, ...sentences]
    .join(' ')
    .toLowerCase()
}
