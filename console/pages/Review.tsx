import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { PageQuery } from '../components/PageQuery.tsx'
import { EraseReview } from '../components/review/EraseReview.tsx'
import { ReviewDetails, ReviewProvenance } from '../components/review/ReviewDetails.tsx'
import { reviewQuery } from '../data/reviews.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

const route = getRouteApi('/signed-in/reviews/$fingerprint')

/** One review in full: its text, its enrichment and its deliveries. */
export function Review() {
  const { fingerprint } = route.useParams()
  const navigate = useNavigate()
  const review = useQuery(reviewQuery(fingerprint))
  return (
    <Stack>
      <PageQuery query={review} what={reviewTexts.item} back={{ to: '/reviews', label: reviewTexts.back }}>
        {(view) => (
          <>
            <PageHeader
              title={reviewTexts.titleOf(view.app_name ?? view.app_id)}
              about={<ReviewProvenance review={view} />}
              actions={<EraseReview review={view} onErased={() => navigate({ to: '/reviews' })} />}
            />
            <ReviewDetails key={fingerprint} review={view} />
          </>
        )}
      </PageQuery>
    </Stack>
  )
}
