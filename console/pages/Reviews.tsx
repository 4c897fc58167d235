import { Button, Menu, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { useFilters } from '../data/filters.ts'
import { exportUrl, reviewsQuery } from '../data/reviews.ts'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
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
        <ListStates list={reviews} empty={lines.length === 0} what="reviews" filters={list}>
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
        </ListStates>
        {lines.map((review) => (
          <ReviewCard key={review.fingerprint} review={review} />
        ))}
        <MoreOf list={reviews} what="reviews" scrolling />
        {lines.length > 0 && !reviews.hasNextPage && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            That is all of them.
          </Text>
        )}
      </Stack>
    </>
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
