import { Box, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import type { AnswerState } from '../../../src/model/reply.ts'
import { replyQuery } from '../../data/replies.ts'
import { answerTexts } from '../../messages/answers.ts'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { useMayChange } from '../MayChange.tsx'
import { Answer } from './Answer.tsx'
import { useAnswering } from './answering.ts'

/** The answer to a review, opened in its card. Only for reviews that may be answered; the page of a review explains the others. */
export function AnswerInCard({ review }: { readonly review: ReviewRow }) {
  const [isOpenHere, setOpenHere] = useState(false)
  const queue = useAnswering()
  const { fingerprint, source, answer_state: state } = review
  const isOfStore = source === 'appstoreconnect' || source === 'googleplay-developer'
  const mayChange = useMayChange()
  if (!mayChange || (queue === null && !isOfStore)) return null
  const isOpen = queue === null ? isOpenHere : queue.active === fingerprint
  const setOpen = (open: boolean) =>
    queue === null ? setOpenHere(open) : queue.setActive(open ? fingerprint : null)
  if (!isOpen) {
    return (
      <Group>
        <Button size="compact-sm" variant="light" onClick={() => setOpen(true)}>
          {OPEN[state]}
        </Button>
      </Group>
    )
  }
  return <Opened fingerprint={fingerprint} onClose={() => setOpen(false)} onPublished={queue?.onPublished} />
}

const OPEN: Readonly<Record<AnswerState, string>> = {
  unanswered: answerTexts.answer,
  draft: answerTexts.continueDraft,
  pending: answerTexts.view,
  published: answerTexts.view,
  refused: answerTexts.view,
  edited: answerTexts.view,
}

function Opened({
  fingerprint,
  onClose,
  onPublished,
}: {
  readonly fingerprint: string
  readonly onClose: () => void
  readonly onPublished: ((fingerprint: string) => void) | undefined
}) {
  const panel = useQuery(replyQuery(fingerprint))
  const place = useRef<HTMLDivElement>(null)
  const isLoaded = panel.data !== undefined
  useEffect(() => {
    if (isLoaded) place.current?.closest('article')?.scrollIntoView({ block: 'nearest' })
  }, [isLoaded])
  return (
    <Box ref={place} role="group" aria-label={answerTexts.answer}>
      <Stack gap="xs">
        {panel.isPending && <LoadingLines lines={2} />}
        {panel.isError && <Failed error={panel.error} onRetry={() => panel.refetch()} />}
        {panel.data !== undefined && (
          <Answer
            fingerprint={fingerprint}
            reply={panel.data}
            autoFocus
            onPublished={() => onPublished?.(fingerprint)}
          />
        )}
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={onClose}>
            {answerTexts.close}
          </Button>
        </Group>
      </Stack>
    </Box>
  )
}
