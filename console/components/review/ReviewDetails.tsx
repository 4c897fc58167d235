import { Badge, Stack, Text } from '@mantine/core'
import { REVIEW_SOURCE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { ReviewDetail } from '../../../src/contract/v1/reviews.ts'
import { reviewTexts } from '../../messages/reviews.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { hookName } from '../destination/destination-name.ts'
import { EnrichmentFacts } from '../EnrichmentFacts.tsx'
import { ReviewCard } from '../ReviewCard.tsx'
import { PublicReply } from '../reply/PublicReply.tsx'
import { ReplySection } from '../reply/ReplySection.tsx'
import { StatusBadge } from '../StatusBadge.tsx'
import { TriageBadges } from '../triage/TriageBadges.tsx'
import { TriageSection } from '../triage/TriageSection.tsx'

/**
 * A review in full, on its page and beside the list: its text, its answers, its enrichment and its deliveries. Needs the fingerprint as its
 * `key`: what is typed for one review must not be published under another.
 */
export function ReviewDetails({ review }: { readonly review: ReviewDetail }) {
  return (
    <>
      <ReviewCard review={review} full badges={<TriageBadges triage={review.triage} withStatus />} />
      <TriageSection review={review} />
      <PublicReply review={review} />
      <ReplySection fingerprint={review.fingerprint} />
      <EnrichmentFacts view={review} />
      <Deliveries events={review.events} />
    </>
  )
}

/** When the review was published and found, and where. */
export function ReviewProvenance({ review }: { readonly review: ReviewDetail }) {
  return reviewTexts.provenance(
    <Instant at={review.occurred_at} />,
    <Instant at={review.observed_at} />,
    REVIEW_SOURCE_NAMES[review.source],
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
