import { Button, Center } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { tableTexts } from '../messages/common.ts'
import { Failed, LoadingLines, NoMatch } from './States.tsx'

type List = UseInfiniteQueryResult<unknown>

/** Replaces a list that is loading, failed or empty. Shows `children` if it is empty without filters. */
export function ListStates({
  list,
  empty,
  what,
  filters,
  children,
}: {
  readonly list: List
  readonly empty: boolean
  readonly what: string
  readonly filters: { readonly isFiltered: boolean; readonly clear: () => void }
  readonly children: ReactNode
}) {
  if (list.isPending) return <LoadingLines />
  if (list.isError && !list.isFetchNextPageError) {
    return <Failed error={list.error} onRetry={() => list.refetch()} />
  }
  if (!empty) return null
  return filters.isFiltered ? <NoMatch what={what} onClear={filters.clear} /> : children
}

/** Loads the next page of a list with a button and, with `scrolling`, near the end of the list. */
export function MoreOf({
  list,
  what,
  scrolling = false,
}: {
  readonly list: List
  readonly what: string
  readonly scrolling?: boolean
}) {
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  // After a failure, only the button retries: scrolling would retry in a loop.
  const loadsOnScroll = scrolling && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!loadsOnScroll || end.current === null) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void fetchNextPage(),
      { rootMargin: '600px' },
    )
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [loadsOnScroll, fetchNextPage])
  if (isFetchNextPageError) return <Failed error={list.error} onRetry={() => fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <Center ref={end} py="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {tableTexts.loadMore(what)}
      </Button>
    </Center>
  )
}
