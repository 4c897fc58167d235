import { Button, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ReviewCount } from '../../src/contract/v1/reviews.ts'
import { TO_ANSWER_STATES } from '../../src/model/reply.ts'
import { MayChange, useMayChange } from '../components/MayChange.tsx'
import { ReviewCard } from '../components/ReviewCard.tsx'
import { AnswerBadge } from '../components/reply/AnswerBadge.tsx'
import { AnswerInCard } from '../components/reply/AnswerInCard.tsx'
import { type Answering, AnsweringContext } from '../components/reply/answering.ts'
import { BulkAnswer } from '../components/reply/BulkAnswer.tsx'
import { Receipt } from '../components/reply/Receipt.tsx'
import { ReviewSelectionBar } from '../components/review-selection/ReviewSelectionBar.tsx'
import { SelectReview } from '../components/review-selection/SelectReview.tsx'
import { ReviewSelectionScope } from '../components/review-selection/selection.tsx'
import { toAnswerCountQuery, toAnswerQuery } from '../data/replies.ts'
import { queueTexts } from '../messages/answers.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'
import { number } from '../util/numbers.ts'

const route = getRouteApi('/signed-in/to-answer')

/** The reviews that wait for an answer, the most urgent first, with the editor of one of them open. */
export function ToAnswer() {
  const { batch } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const queue = useQuery(toAnswerQuery)
  const count = useQuery(toAnswerCountQuery)
  const reviews = useMemo(() => queue.data ?? [], [queue.data])
  const [chosen, setChosen] = useState<string | undefined>()
  /** Not beside a receipt, which would scroll out of view. */
  const [isOpen, setOpen] = useState(batch === undefined)
  const first = reviews[0]?.fingerprint
  // From now on this one: a new review before it takes the editor from nobody who types.
  if (isOpen && chosen === undefined && first !== undefined) setChosen(first)
  /** -1: none, or one that is no longer to answer. */
  const index = reviews.findIndex(({ fingerprint }) => fingerprint === chosen)
  const active = isOpen ? (reviews[index]?.fingerprint ?? null) : null
  const open = (fingerprint: string | undefined) => {
    setChosen(fingerprint)
    setOpen(true)
  }
  const answering = useMemo<Answering>(
    () => ({
      active,
      setActive(fingerprint) {
        if (fingerprint !== null) setChosen(fingerprint)
        setOpen(fingerprint !== null)
      },
      onPublished(fingerprint) {
        const place = reviews.findIndex((review) => review.fingerprint === fingerprint)
        const others = [...reviews.slice(place + 1), ...reviews.slice(0, place)]
        const next = others.find(({ answer_state }) => TO_ANSWER_STATES.includes(answer_state))
        if (next === undefined) setOpen(false)
        else setChosen(next.fingerprint)
      },
    }),
    [active, reviews],
  )
  const total = count.data === undefined ? number(reviews.length) : countText(count.data)
  return (
    <>
      <PageHeader
        title={queueTexts.title}
        about={queueTexts.about}
        actions={
          <ButtonLink to="/reviews" variant="default">
            {queueTexts.back}
          </ButtonLink>
        }
      />
      <Stack>
        {batch !== undefined && (
          <Receipt batchId={batch} onClose={() => void navigate({ to: '/to-answer', replace: true })} />
        )}
        {queue.isPending && <LoadingLines />}
        {queue.isError && <Failed error={queue.error} onRetry={() => queue.refetch()} />}
        {queue.data?.length === 0 && (
          <Empty
            title={queueTexts.emptyTitle}
            action={
              <ButtonLink to="/stores" variant="light">
                {queueTexts.viewStores}
              </ButtonLink>
            }
          >
            {queueTexts.emptyNote}
          </Empty>
        )}
        {reviews.length > 0 && (
          <>
            <Group gap="xs">
              <Text size="sm" c="dimmed" role="status">
                {index === -1 || !mayChange
                  ? queueTexts.waiting(total)
                  : queueTexts.position(index + 1, total)}
              </Text>
              <MayChange>
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconChevronLeft size={14} aria-hidden />}
                  disabled={index <= 0}
                  onClick={() => open(reviews[index - 1]?.fingerprint)}
                >
                  {queueTexts.previous}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  rightSection={<IconChevronRight size={14} aria-hidden />}
                  disabled={index >= reviews.length - 1}
                  onClick={() => open(reviews[index + 1]?.fingerprint)}
                >
                  {queueTexts.next}
                </Button>
              </MayChange>
            </Group>
            <AnsweringContext value={answering}>
              <ReviewSelectionScope reviews={reviews}>
                {reviews.map((review) => (
                  <ReviewCard
                    key={review.fingerprint}
                    review={review}
                    lead={<SelectReview review={review} />}
                    badges={<AnswerBadge state={review.answer_state} />}
                  >
                    <AnswerInCard review={review} />
                  </ReviewCard>
                ))}
                <ReviewSelectionBar>
                  <BulkAnswer />
                </ReviewSelectionBar>
              </ReviewSelectionScope>
            </AnsweringContext>
          </>
        )}
      </Stack>
    </>
  )
}

function countText({ count, more }: ReviewCount): string {
  return more ? queueTexts.more(count) : number(count)
}
