import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { DeliveryFilters } from '../components/DeliveryFilters.tsx'
import { DeliveryTable } from '../components/DeliveryTable.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import { useFilters } from '../data/filters.ts'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'

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
        <ListStates list={deliveries} empty={lines.length === 0} what="deliveries" filters={list}>
          <Empty title="Nothing was sent yet">
            As soon as an app gets a review, or loses rating, that one of your destinations asked for, the
            delivery shows up here.
          </Empty>
        </ListStates>
        {lines.length > 0 && <DeliveryTable lines={lines} />}
        <MoreOf list={deliveries} what="deliveries" />
      </Stack>
    </>
  )
}
