import { Button, Center, Menu, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { useFilters } from '../data/filters.ts'
import { exportUrl, reviewsQuery } from '../data/reviews.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines, NoMatch } from '../ui/States.tsx'
import { paths } from '../util/paths.ts'

/** Every review of the watched apps, newest first, a page at a time as one scrolls. */
export function Reviews() {
  const list = useFilters()
  const reviews = useInfiniteQuery(reviewsQuery(list.filters))
  const lines = reviews.data?.pages.flatMap((page) => page.reviews) ?? []
  return (
    <>
      <PageHeader
        title="Reviews"
        about="What people say, newest first"
        actions={<ExportMenu filters={list.filters} />}
      />
      <Stack>
        <ReviewFilters {...list} />
        {reviews.isPending && <LoadingLines />}
        {reviews.isError && <Failed error={reviews.error} onRetry={() => reviews.refetch()} />}
        {reviews.isSuccess && lines.length === 0 && list.any && (
          <NoMatch what="reviews" onClear={list.clear} />
        )}
        {reviews.isSuccess && lines.length === 0 && !list.any && (
          <Empty
            title="No reviews yet"
            action={
              <Button component={Link} to={paths.apps()} variant="light">
                Your apps
              </Button>
            }
          >
            Reviews of the apps you watch arrive here as the stores publish them.
          </Empty>
        )}
        {lines.map((review) => (
          <ReviewCard key={review.fingerprint} review={review} />
        ))}
        {reviews.hasNextPage && (
          <More loading={reviews.isFetchingNextPage} onMore={() => reviews.fetchNextPage()} />
        )}
        {lines.length > 0 && !reviews.hasNextPage && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            That is all of them.
          </Text>
        )}
      </Stack>
    </>
  )
}

/** The next page is asked for when the end comes near; the button is for keyboards and for those who stop the scrolling. */
function More({ loading, onMore }: { readonly loading: boolean; readonly onMore: () => void }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (element === null || loading) return
    const watcher = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onMore(),
      {
        rootMargin: '600px',
      },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [loading, onMore])
  return (
    <Center ref={end} py="md">
      <Button variant="default" loading={loading} onClick={onMore}>
        More reviews
      </Button>
    </Center>
  )
}

function ExportMenu({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>What the filters show, all pages</Menu.Label>
        <Menu.Item component="a" href={exportUrl(filters, 'csv')} download>
          CSV, for spreadsheets
        </Menu.Item>
        <Menu.Item component="a" href={exportUrl(filters, 'jsonl')} download>
          JSON lines, for programs
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
