import { Card, Group, Stack, Text } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { languageName, marketName } from '../../src/contract/console/market-names.ts'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import type { ReviewSearch } from '../data/search.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { Instant } from '../ui/Instant.tsx'
import { Stars } from '../ui/Stars.tsx'
import { EnrichmentBadges } from './EnrichmentBadges.tsx'
import { ReviewActions } from './ReviewActions.tsx'
import { type InFeed, ReviewLink } from './review/ReviewLink.tsx'
import { StoreBadge } from './StoreBadge.tsx'
import { Translation } from './Translation.tsx'

/** Of a text in one line. Screen readers read it as the name of the link. */
const LINE_CHARS = 300
/** They do what they say instead of opening the review. */
const INTERACTIVE = ['a', 'button', 'input', 'label', 'textarea', '[role=menu]', '[role=group]'].join()

type Props = {
  readonly review: ReviewRow
  /** The filters that a badge extends. Default: the review's app. */
  readonly within?: ReviewSearch | undefined
  readonly inFeed?: InFeed | undefined
  /** Before the stars, such as a box that selects the review. */
  readonly lead?: ReactNode
  /** Before the badges of the enrichment. */
  readonly badges?: ReactNode
  /** Before the link that copies the address. */
  readonly actions?: ReactNode
  /** At the end of the card. */
  readonly children?: ReactNode
}

/** A review: its unchanged text, and the results of enrichment as badges. */
export function ReviewCard({
  review,
  full = false,
  within,
  inFeed,
  lead,
  badges,
  actions,
  children,
}: Props & {
  /** With the whole text, and without what the page of the review says around it. */
  readonly full?: boolean
}) {
  const { enrichment } = review
  const isForeign = enrichment !== null && enrichment.language !== 'en'
  return (
    <Card
      withBorder
      padding="md"
      component="article"
      tabIndex={-1}
      className="review-card"
      {...articleProps(review, inFeed)}
    >
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            {lead}
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
        {isForeign && (
          <Text size="sm" c="dimmed">
            {enrichment.summary_en}
          </Text>
        )}
        {isForeign && <Translation fingerprint={review.fingerprint} />}
        {(enrichment !== null || badges !== undefined) && (
          <Group gap={6}>
            {badges}
            <Badges review={review} within={within} />
          </Group>
        )}
        <Group justify="space-between" gap={4}>
          <Text size="xs" c="dimmed">
            {provenanceOf(review).join(' · ')}
          </Text>
          <ReviewActions review={review} inFeed={inFeed} withDetails={!full}>
            {actions}
          </ReviewActions>
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

/** A review in one line; in a narrow list in three. */
export function CompactReview({ review, within, inFeed, lead, badges }: Omit<Props, 'actions' | 'children'>) {
  return (
    <article className="review-card review-line" tabIndex={-1} {...articleProps(review, inFeed)}>
      {lead}
      <Stars rating={review.rating} />
      <Text size="sm" fw={500} truncate className="review-line-app">
        {review.app_name ?? review.app_id}
      </Text>
      <ReviewLink
        review={review}
        inFeed={inFeed}
        c="inherit"
        truncate
        dir="auto"
        className="review-line-text"
      >
        {review.title !== null && <b>{review.title} </b>}
        {[...review.body].slice(0, LINE_CHARS).join('')}
      </ReviewLink>
      <div className="review-line-badges">
        {badges}
        <span className="review-line-enrichment">
          <Badges review={review} within={within} />
        </span>
      </div>
      <Text size="sm" c="dimmed" className="review-line-time">
        <Instant at={review.occurred_at} />
      </Text>
    </article>
  )
}

function Badges({ review, within }: Pick<Props, 'review' | 'within'>) {
  return (
    review.enrichment !== null && (
      <EnrichmentBadges
        enrichment={review.enrichment}
        within={within ?? { store: review.store, app_id: review.app_id }}
      />
    )
  )
}

/** Its name and place for screen readers. In a list, the whole card can be pressed; its link says the same to keyboards. */
function articleProps(review: ReviewRow, inFeed: InFeed | undefined) {
  const name = { 'aria-label': reviewTexts.reviewBy(reviewTexts.author(review.author)) }
  if (inFeed === undefined) return name
  return {
    ...name,
    'data-fingerprint': review.fingerprint,
    'data-pressable': true,
    'aria-posinset': inFeed.position,
    'aria-setsize': inFeed.size,
    'aria-current': inFeed.isOpen ? true : undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isPress(event)) inFeed.onOpen()
    },
  } as const
}

/** A reader may also select the text of a review. */
function isPress({ target, button, metaKey, ctrlKey, shiftKey }: MouseEvent<HTMLElement>): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey) return false
  if (target instanceof Element && target.closest(INTERACTIVE)) return false
  return window.getSelection()?.type !== 'Range'
}

function provenanceOf(review: ReviewRow): string[] {
  const { enrichment } = review
  return [
    reviewTexts.author(review.author),
    marketName(review.store, 'reviews', review.market),
    enrichment === null ? null : reviewTexts.writtenIn(languageName(enrichment.language)),
    review.app_version === null ? null : reviewTexts.version(review.app_version),
    review.is_edited === true ? reviewTexts.edited : null,
  ].filter((part) => part !== null)
}
