import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { DeliveryFilters } from '../components/DeliveryFilters.tsx'
import { DeliveryList } from '../components/DeliveryList.tsx'
import { deliveriesQuery } from '../data/deliveries.ts'
import type { DeliverySearch } from '../data/search.ts'
import { deliveryTexts } from '../messages/deliveries.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { filterControls } from '../util/filters.ts'

const route = getRouteApi('/signed-in/deliveries')

/** Every delivery of the account, newest first by default. */
export function Deliveries() {
  const navigate = useNavigate()
  const { sort, ...filters } = route.useSearch()
  const show = (search: DeliverySearch) => void navigate({ to: '/deliveries', search, replace: true })
  const list = filterControls<Omit<DeliverySearch, 'sort'>>(filters, (next) => show({ ...next, sort }))
  const deliveries = useInfiniteQuery(deliveriesQuery({ ...filters, sort }))
  const lines = deliveries.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <PageHeader title={deliveryTexts.title} about={deliveryTexts.about} />
      <Stack>
        <DeliveryFilters {...list} />
        <ListStates list={deliveries} empty={lines.length === 0} what={deliveryTexts.name} filters={list}>
          <Empty title={deliveryTexts.emptyTitle}>{deliveryTexts.emptyNote}</Empty>
        </ListStates>
        {lines.length > 0 && (
          <DeliveryList
            lines={lines}
            sort={sort ?? '-created'}
            onSort={(next) => show({ ...filters, sort: next === 'created' ? next : undefined })}
          />
        )}
        <MoreOf list={deliveries} what={deliveryTexts.name} />
      </Stack>
    </>
  )
}
