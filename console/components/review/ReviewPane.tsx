import { CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { reviewQuery } from '../../data/reviews.ts'
import { reviewTexts } from '../../messages/reviews.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { PageQuery } from '../PageQuery.tsx'
import { EraseReview } from './EraseReview.tsx'
import { ReviewDetails, ReviewProvenance } from './ReviewDetails.tsx'

/** A review beside the list. */
export function ReviewPane({
  fingerprint,
  onClose,
  onErased,
}: {
  readonly fingerprint: string
  readonly onClose: () => void
  readonly onErased: () => Promise<void>
}) {
  const review = useQuery(reviewQuery(fingerprint))
  const pane = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another review starts at its beginning.
  useEffect(() => {
    pane.current?.scrollTo({ top: 0 })
  }, [fingerprint])
  return (
    <section ref={pane} className="review-pane" aria-label={reviewTexts.item} tabIndex={-1}>
      <CloseButton
        aria-label={reviewTexts.closeReview}
        onClick={onClose}
        pos="absolute"
        top={16}
        right={16}
        style={{ zIndex: 1 }}
      />
      <PageQuery query={review} what={reviewTexts.item} back={{ to: '/reviews', label: reviewTexts.back }}>
        {(view) => (
          <Stack>
            {/* The close button is beside it. */}
            <div style={{ paddingInlineEnd: 36 }}>
              <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
                {reviewTexts.titleOf(view.app_name ?? view.app_id)}
              </Title>
              <Text c="dimmed" size="sm" component="div">
                <ReviewProvenance review={view} />
              </Text>
            </div>
            <Group gap="xs">
              <ButtonLink variant="default" size="xs" to="/reviews/$fingerprint" params={{ fingerprint }}>
                {reviewTexts.openPage}
              </ButtonLink>
              <EraseReview review={view} onErased={onErased} />
            </Group>
            <ReviewDetails key={fingerprint} review={view} />
          </Stack>
        )}
      </PageQuery>
    </section>
  )
}
