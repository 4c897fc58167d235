import { Badge, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { REVIEW_SOURCE_NAMES } from '../../src/contract/console/display-names.ts'
import type { ReviewDetail } from '../../src/contract/v1/reviews.ts'
import { hookName } from '../components/destination/destination-name.ts'
import { EnrichmentFacts } from '../components/EnrichmentFacts.tsx'
import { PageQuery } from '../components/PageQuery.tsx'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { PublicReply } from '../components/reply/PublicReply.tsx'
import { ReplySection } from '../components/reply/ReplySection.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { eraseReview, reviewQuery } from '../data/reviews.ts'
import { useSession } from '../data/session.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'

const route = getRouteApi('/signed-in/reviews/$fingerprint')

/** One review in full: its text, its enrichment and its deliveries. */
export function Review() {
  const { fingerprint } = route.useParams()
  const review = useQuery(reviewQuery(fingerprint))
  return (
    <Stack>
      <PageQuery query={review} what={reviewTexts.item} back={{ to: '/reviews', label: reviewTexts.back }}>
        {(view) => (
          <>
            <PageHeader
              title={reviewTexts.titleOf(view.app_name ?? view.app_id)}
              about={reviewTexts.provenance(
                <Instant at={view.occurred_at} />,
                <Instant at={view.observed_at} />,
                REVIEW_SOURCE_NAMES[view.source],
              )}
              actions={<Erase review={view} />}
            />
            <ReviewCard review={view} full />
            <PublicReply review={view} />
            <ReplySection fingerprint={view.fingerprint} />
            <EnrichmentFacts view={view} />
            <Deliveries events={view.events} />
          </>
        )}
      </PageQuery>
    </Stack>
  )
}

/** The operator erases any review, an owner of an account its own copies. */
function Erase({ review }: { readonly review: ReviewDetail }) {
  const { role, operator } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const erase = useMutation({
    mutationFn: () => eraseReview(review.fingerprint),
    onSuccess: async () => {
      notifyDone(reviewTexts.erased)
      await navigate({ to: '/reviews' })
      queryClient.removeQueries({ queryKey: ['review', review.fingerprint] })
      await queryClient.invalidateQueries()
    },
    onError: notifyFailed,
  })
  if (role !== 'owner' || (review.source === 'public' && !operator)) return null
  const ask = () =>
    confirmDestructive({
      title: reviewTexts.eraseTitle,
      consequence: reviewTexts.eraseNote,
      verb: reviewTexts.erase,
      onConfirm: () => erase.mutate(),
    })
  return (
    <Button variant="default" size="xs" loading={erase.isPending} onClick={ask}>
      {reviewTexts.erase}
    </Button>
  )
}

function Deliveries({ events }: { readonly events: ReviewDetail['events'] }) {
  return (
    <Section title={reviewTexts.deliveries}>
      {events.length === 0 ? (
        <Text c="dimmed">{reviewTexts.notSent}</Text>
      ) : (
        <Stack gap="xs">
          {events.map((event) => (
            <Text key={event.event_id} component="div">
              <StatusBadge status={event.status} />{' '}
              <AnchorLink
                to="/deliveries/$eventId"
                params={{ eventId: event.event_id }}
                style={{ overflowWrap: 'anywhere' }}
              >
                {hookName(event)}
              </AnchorLink>{' '}
              <Badge variant="default" size="sm" tt="none">
                {reviewTexts.attempts(event.attempts)}
              </Badge>
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  )
}
