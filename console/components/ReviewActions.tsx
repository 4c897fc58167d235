import { Anchor, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import { storePage } from '../../src/model/store-page.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { useCopy } from '../ui/use-copy.ts'
import { basePath } from '../util/base-path.ts'
import { type InFeed, ReviewLink } from './review/ReviewLink.tsx'

/** What can be done with a review, below its text. */
export function ReviewActions({
  review,
  inFeed,
  withDetails,
  children,
}: {
  readonly review: ReviewRow
  readonly inFeed: InFeed | undefined
  readonly withDetails: boolean
  readonly children: ReactNode
}) {
  const { fingerprint } = review
  const { copied, copy } = useCopy(`${window.location.origin}${basePath}/reviews/${fingerprint}`)
  return (
    <Group gap="sm" className="review-actions">
      {children}
      <Anchor component="button" type="button" size="xs" underline="always" onClick={copy}>
        {copied ? reviewTexts.linkCopied : reviewTexts.copyLink}
      </Anchor>
      <Anchor
        href={storePage({ ...review, appId: review.app_id, reviewId: review.review_id })}
        target="_blank"
        rel="noreferrer"
        size="xs"
        underline="always"
      >
        {reviewTexts.viewIn(STORE_NAMES[review.store])}
      </Anchor>
      {withDetails && (
        <ReviewLink review={review} inFeed={inFeed} size="xs" underline="always">
          {reviewTexts.details}
        </ReviewLink>
      )}
    </Group>
  )
}
