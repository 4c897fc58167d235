import { Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { ReviewExport } from '../components/ReviewExport.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { filterControls } from '../data/filters.ts'
import { reviewsQuery } from '../data/reviews.ts'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'

const route = getRouteApi('/signed-in/reviews')

/** The reviews of the tracked apps, newest first, a page at a time. */
export function Reviews() {
  const navigate = useNavigate()
  const list = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/reviews', search, replace: true }),
  )
  const reviews = useInfiniteQuery(reviewsQuery(list.filters))
  const lines = reviews.data?.pages.flatMap((page) => page.reviews) ?? []
  return (
    <>
      <PageHeader
        title="Reviews"
        about="Reviews of your apps, newest first"
        actions={<ReviewExport filters={list.filters} />}
      />
      <Stack>
        <ReviewFilters {...list} />
        <ListStates list={reviews} empty={lines.length === 0} what="reviews" filters={list}>
          <Empty
            title="No reviews yet"
            action={
              <ButtonLink to="/apps" variant="light">
                View your apps
              </ButtonLink>
            }
          >
            Reviews of the apps you track show up here as the stores publish them.
          </Empty>
        </ListStates>
        {lines.map((review) => (
          <ReviewCard key={review.fingerprint} review={review} />
        ))}
        <MoreOf list={reviews} what="reviews" scrolling />
        {lines.length > 0 && !reviews.hasNextPage && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            End of list
          </Text>
        )}
      </Stack>
    </>
  )
}
