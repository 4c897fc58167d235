import { Anchor, Card, Group, Stack, Text } from '@mantine/core'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import { storePage } from '../../src/model/store-page.ts'
import type { ReviewSearch } from '../data/search.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { languageName, marketName } from '../util/storefronts.ts'
import { EnrichmentBadges } from './EnrichmentBadges.tsx'
import { Stars } from './Stars.tsx'
import { StoreBadge } from './StoreBadge.tsx'
import { Translation } from './Translation.tsx'

/** A review: its unchanged text, and the results of enrichment as badges. */
export function ReviewCard({
  review,
  full = false,
  within,
  inFeed,
}: {
  readonly review: ReviewRow
  readonly full?: boolean
  /** The filters that a badge extends. Default: the review's app. */
  readonly within?: ReviewSearch
  /** Its place in a list, for screen readers. */
  readonly inFeed?: { readonly position: number; readonly size: number }
}) {
  const { enrichment } = review
  return (
    <Card
      withBorder
      padding="md"
      component="article"
      tabIndex={-1}
      className="review-card"
      aria-label={reviewTexts.reviewBy(authorOf(review))}
      aria-posinset={inFeed?.position}
      aria-setsize={inFeed?.size}
    >
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Stars rating={review.rating} />
            {!full && (
              <Text size="sm" fw={500}>
                {review.app_name ?? review.app_id}
              </Text>
            )}
            <StoreBadge store={review.store} />
          </Group>
          <Text size="sm" c="dimmed">
            <Instant at={review.occurred_at} />
          </Text>
        </Group>
        <div>
          {review.title !== null && (
            <Text fw={600} className="untrusted-text" dir="auto">
              {review.title}
            </Text>
          )}
          <Text className="untrusted-text" dir="auto" {...(full ? {} : { lineClamp: 6 })}>
            {review.body}
          </Text>
        </div>
        {enrichment !== null && enrichment.language !== 'en' && (
          <Text size="sm" c="dimmed">
            {enrichment.summary_en}
          </Text>
        )}
        {enrichment !== null && enrichment.language !== 'en' && (
          <Translation fingerprint={review.fingerprint} />
        )}
        <Group gap={6}>
          {enrichment !== null && (
            <EnrichmentBadges
              enrichment={enrichment}
              within={within ?? { store: review.store, app_id: review.app_id }}
            />
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {provenanceOf(review).join(' · ')}
          {' · '}
          <Anchor
            href={storePage({ ...review, appId: review.app_id, reviewId: review.review_id })}
            target="_blank"
            rel="noreferrer"
            size="xs"
            underline="always"
          >
            {reviewTexts.viewIn(STORE_NAMES[review.store])}
          </Anchor>
          {!full && (
            <>
              {' · '}
              <AnchorLink
                to="/reviews/$fingerprint"
                params={{ fingerprint: review.fingerprint }}
                size="xs"
                underline="always"
              >
                {reviewTexts.details}
              </AnchorLink>
            </>
          )}
        </Text>
      </Stack>
    </Card>
  )
}

function authorOf({ author }: ReviewRow): string {
  return author ?? reviewTexts.anonymous
}

function provenanceOf(review: ReviewRow): string[] {
  const { enrichment } = review
  return [
    authorOf(review),
    marketName(review.store, 'reviews', review.market),
    enrichment === null ? null : reviewTexts.writtenIn(languageName(enrichment.language)),
    review.app_version === null ? null : reviewTexts.version(review.app_version),
    review.is_edited === true ? reviewTexts.edited : null,
  ].filter((part) => part !== null)
}
