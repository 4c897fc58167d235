import { Button, Center, Stack, Text } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { ReviewCount } from '../components/ReviewCount.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { ReviewList } from '../components/ReviewList.tsx'
import { RowSizeButton, useRowSize } from '../components/RowSizeButton.tsx'
import { BulkAnswer } from '../components/reply/BulkAnswer.tsx'
import { ToAnswerLink } from '../components/reply/ToAnswerLink.tsx'
import { useFeedKeys } from '../components/review/feed-keys.ts'
import { useOpenReview } from '../components/review/open-review.ts'
import { ReviewSelectionBar } from '../components/review-selection/ReviewSelectionBar.tsx'
import { ReviewSelectionScope } from '../components/review-selection/selection.tsx'
import { SavedViews } from '../components/SavedViews.tsx'
import { BulkTriage } from '../components/triage/BulkTriage.tsx'
import { TriageKeys } from '../components/triage/TriageKeys.tsx'
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
const ReviewPane = lazy(async () => ({
  default: (await import('../components/review/ReviewPane.tsx')).ReviewPane,
}))

/** The reviews of the tracked apps, newest first, in pages. On a wide screen, one is open beside them. */
export function Reviews() {
  const navigate = useNavigate()
  const { review, ...filters } = route.useSearch()
  const controls = filterControls(
    filters,
    (search) => void navigate({ to: '/reviews', search: { ...search, review }, replace: true }),
  )
  const { list, reviews, waiting, more, showNew } = useReviewList(filters)
  const [rowSize, setRowSize] = useRowSize()
  const opened = useOpenReview(filters, review)
  const cards = useRef<HTMLDivElement>(null)
  const { close, leave } = useFeedKeys(cards, opened)
  return (
    <>
      <PageHeader
        title={reviewTexts.title}
        about={reviewTexts.about}
        actions={
          <>
            <ToAnswerLink />
            <SavedViews filters={filters} isFiltered={controls.isFiltered} />
            <ExportMenu what={reviewTexts.name} urlOf={(format) => exportUrl(filters, format)} />
            <RowSizeButton rowSize={rowSize} onChange={setRowSize} />
          </>
        }
      />
      <ReviewSelectionScope reviews={reviews}>
        <Stack gap="sm">
          <ReviewFilters {...controls} />
          <ReviewCount filters={filters} />
          <div className="review-feed" data-open={opened.fingerprint !== undefined}>
            <Stack>
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
                <ReviewList
                  key={rowSize}
                  ref={cards}
                  reviews={reviews}
                  filters={filters}
                  complete={!list.hasNextPage}
                  rowSize={rowSize}
                  openReview={opened.fingerprint}
                  onOpen={opened.open}
                />
              )}
              <TriageKeys reviews={reviews} />
              <ReviewSelectionBar>
                <BulkTriage />
                <BulkAnswer />
              </ReviewSelectionBar>
              <MoreOf list={list} what={reviewTexts.name} scrolling />
              {reviews.length > 0 && !list.hasNextPage && (
                <Text c="dimmed" size="sm" ta="center" py="md">
                  {reviewTexts.end}
                </Text>
              )}
            </Stack>
            {opened.fingerprint !== undefined && (
              <Suspense>
                <ReviewPane fingerprint={opened.fingerprint} onClose={close} onErased={leave} />
              </Suspense>
            )}
          </div>
        </Stack>
      </ReviewSelectionScope>
    </>
  )
}
