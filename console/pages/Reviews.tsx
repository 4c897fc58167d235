import { Button, Center, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { ReviewCount } from '../components/ReviewCount.tsx'
import { ReviewFilters } from '../components/ReviewFilters.tsx'
import { ReviewList } from '../components/ReviewList.tsx'
import { SavedViews } from '../components/SavedViews.tsx'
import { filterControls } from '../data/filters.ts'
import { useReviewList } from '../data/review-list.ts'
import { exportUrl } from '../data/reviews.ts'
import { ExportMenu } from '../ui/ExportMenu.tsx'
import { ListStates, MoreOf } from '../ui/ListStates.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty } from '../ui/States.tsx'
import { counted, number } from '../util/numbers.ts'

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
        title="Reviews"
        about="Reviews of your apps, newest first"
        actions={
          <>
            <SavedViews filters={controls.filters} isFiltered={controls.isFiltered} />
            <ExportMenu what="reviews" urlOf={(format) => exportUrl(controls.filters, format)} />
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
              {more ? `${number(waiting)} or more new reviews` : counted(waiting, 'new review')}
            </Button>
          </Center>
        )}
        <ListStates list={list} empty={reviews.length === 0} what="reviews" filters={controls}>
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
        {reviews.length > 0 && (
          <ReviewList ref={cards} reviews={reviews} filters={controls.filters} complete={!list.hasNextPage} />
        )}
        <MoreOf list={list} what="reviews" scrolling />
        {reviews.length > 0 && !list.hasNextPage && (
          <Text c="dimmed" size="sm" ta="center" py="md">
            End of list
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
