import { Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DeadLetterFilters } from '../components/DeliveryFilters.tsx'
import { DeadLetterActions } from '../components/dead-letters/DeadLetterActions.tsx'
import { DeadLetterList } from '../components/dead-letters/DeadLetterList.tsx'
import { ReasonFilter } from '../components/dead-letters/ReasonFilter.tsx'
import { Replays } from '../components/Replays.tsx'
import { deadCountQuery, deadLettersQuery } from '../data/deliveries.ts'
import { ReplayModal } from '../forms/ReplayModal.tsx'
import { deadLetterTexts } from '../messages/deliveries.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { filterControls } from '../util/filters.ts'

const route = getRouteApi('/signed-in/dead-letters')

/** Deliveries that are no longer attempted, to replay or discard. */
export function DeadLetters() {
  const navigate = useNavigate()
  const list = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/dead-letters', search, replace: true }),
  )
  const dead = useInfiniteQuery(deadLettersQuery(list.filters))
  const count = useQuery(deadCountQuery(list.filters))
  const [replaying, setReplaying] = useState(false)
  const lines = dead.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <PageHeader
        title={deadLetterTexts.title}
        about={deadLetterTexts.about}
        actions={
          <DeadLetterActions total={count.data?.count ?? 0} list={list} onReplay={() => setReplaying(true)} />
        }
      />
      <Stack>
        <Replays />
        <DeadLetterFilters {...list} />
        {count.data !== undefined && <ReasonFilter byReason={count.data.by_reason} list={list} />}
        <ListStates list={dead} empty={lines.length === 0} what={deadLetterTexts.name} filters={list}>
          <Empty title={deadLetterTexts.emptyTitle}>{deadLetterTexts.emptyNote}</Empty>
        </ListStates>
        {lines.length > 0 && <DeadLetterList lines={lines} />}
        <MoreOf list={dead} what={deadLetterTexts.name} />
      </Stack>
      {replaying && <ReplayModal filters={list.filters} onClose={() => setReplaying(false)} />}
    </>
  )
}
