import { Button, Center, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { ReviewCount } from '../components/ReviewCount.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { ReviewList } from '../components/ReviewList.tsx'
import { SavedViews } from '../components/SavedViews.tsx'
import { useReviewList } from '../data/review-list.ts'
import { exportUrl } from '../data/reviews.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { ExportMenu } from '../ui/ExportMenu.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { filterControls } from '../util/filters.ts'

const route = getRouteApi('/signed-in/reviews')

/** The reviews of the tracked apps, newest first, in pages. A button shows new reviews. */
export function Reviews() {
  const navigate = useNavigate()
  const controls = filterControls(
    route.useSearch(),
    (search) => void navigate({ to: '/reviews', search, replace: true }),
  )
  const { list, reviews, waiting, more, showNew } = useReviewList(controls.filters)
  const cards = useRef<HTMLDivElement>(null)
  useHotkeys([
    ['j', () => moveFocus(cards.current, 1)],
    ['k', () => moveFocus(cards.current, -1)],
  ])
  return (
    <>
      <PageHeader
        title={reviewTexts.title}
        about={reviewTexts.about}
        actions={
          <>
            <SavedViews filters={controls.filters} isFiltered={controls.isFiltered} />
            <ExportMenu what={reviewTexts.name} urlOf={(format) => exportUrl(controls.filters, format)} />
          </>
        }
      />
      <Stack>
        <ReviewFilters {...controls} />
        <ReviewCount filters={controls.filters} />
        {waiting > 0 && (
          <Center pos="sticky" top={64} style={{ zIndex: 2 }}>
            <Button
              radius="xl"
              size="xs"
              leftSection={<IconArrowUp size={14} aria-hidden />}
              onClick={() => void showNew().then(() => window.scrollTo({ top: 0 }))}
            >
              {more ? reviewTexts.newReviewsOrMore(waiting) : reviewTexts.newReviews(waiting)}
            </Button>
          </Center>
        )}
        <ListStates list={list} empty={reviews.length === 0} what={reviewTexts.name} filters={controls}>
          <Empty
            title={reviewTexts.emptyTitle}
            action={
              <ButtonLink to="/apps" variant="light">
                {reviewTexts.viewApps}
              </ButtonLink>
            }
          >
            {reviewTexts.emptyNote}
          </Empty>
        </ListStates>
        {reviews.length > 0 && (
          <ReviewList ref={cards} reviews={reviews} filters={controls.filters} complete={!list.hasNextPage} />
        )}
        <MoreOf list={list} what={reviewTexts.name} scrolling />
        {reviews.length > 0 && !list.hasNextPage && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            {reviewTexts.end}
          </Text>
        )}
      </Stack>
    </>
  )
}

/** Moves the focus to the next or previous review, or to the first if no review has it. */
function moveFocus(list: HTMLElement | null, by: 1 | -1): void {
  const cards = [...(list?.querySelectorAll<HTMLElement>('.review-card') ?? [])]
  const focused = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[focused === -1 ? 0 : focused + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'center' })
}
