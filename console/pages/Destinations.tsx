import { Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { DestinationCard } from '../components/destination/DestinationCard.tsx'
import { destinationsQuery } from '../data/destinations.ts'
import { filterControls } from '../data/filters.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { destinationName } from '../util/destination-name.ts'
import { subscriptionsOf } from '../util/subscriptions.ts'

const route = getRouteApi('/signed-in/destinations')

/** The destinations of the account, created here or through the API. */
export function Destinations() {
  const destinations = useQuery(destinationsQuery)
  const navigate = useNavigate()
  const list = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/destinations', search, replace: true }),
  )
  const search = (list.filters.text ?? '').trim().toLowerCase()
  const shown = destinations.data?.filter((line) =>
    `${destinationName(line)} ${line.targetUrl} ${line.description ?? ''} ${line.source} ${line.externalRef ?? ''} ${subscriptionsOf(
      line,
    )
      .map((watch) => watch.sentence)
      .join(' ')}`
      .toLowerCase()
      .includes(search),
  )
  const add = (
    <ButtonLink to="/destinations/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Add a destination
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title="Destinations" about="Endpoints that get your events" actions={add} />
      {destinations.isPending && <LoadingLines />}
      {destinations.isError && <Failed error={destinations.error} onRetry={() => destinations.refetch()} />}
      {destinations.data?.length === 0 && (
        <Empty title="No destinations yet" action={add}>
          A destination is a URL that gets a signed request for each new review or rating drop. Zapier, Make
          and n8n create theirs through the API; those show up here too.
        </Empty>
      )}
      {destinations.data !== undefined && destinations.data.length > 0 && (
        <Stack>
          <SearchField
            label="Search destinations"
            value={list.filters.text}
            onChange={(text) => list.setFilters({ text })}
            width={360}
          />
          {shown?.length === 0 && <NoMatch what="destinations" onClear={list.clear} />}
          {shown?.map((line) => (
            <DestinationCard key={line.id} line={line} />
          ))}
        </Stack>
      )}
    </>
  )
}
