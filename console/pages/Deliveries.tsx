import { Button, Center, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DeliveryFilters } from '../components/DeliveryFilters.tsx'
import { DeliveryTable } from '../components/DeliveryTable.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import { useFilters } from '../data/filters.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'

/** The log of everything that was or is to be sent. */
export function Deliveries() {
  const list = useFilters()
  const deliveries = useInfiniteQuery(deliveriesQuery(list.filters, 'deliveries'))
  const lines = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <>
      <PageHeader title="Deliveries" about="Every event, what became of it, and each request that was made" />
      <Stack>
        <DeliveryFilters {...list} />
        {deliveries.isPending && <LoadingLines />}
        {deliveries.isError && <Failed error={deliveries.error} onRetry={() => deliveries.refetch()} />}
        {deliveries.isSuccess && lines.length === 0 && list.any && (
          <NoMatch what="deliveries" onClear={list.clear} />
        )}
        {deliveries.isSuccess && lines.length === 0 && !list.any && (
          <Empty title="Nothing was sent yet">
            As soon as an app gets a review, or loses rating, that one of your destinations asked for, the
            delivery shows up here.
          </Empty>
        )}
        {lines.length > 0 && <DeliveryTable lines={lines} />}
        {deliveries.hasNextPage && (
          <Center>
            <Button
              variant="default"
              loading={deliveries.isFetchingNextPage}
              onClick={() => deliveries.fetchNextPage()}
            >
              More deliveries
            </Button>
          </Center>
        )}
      </Stack>
    </>
  )
}
