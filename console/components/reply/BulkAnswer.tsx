import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BulkReplyResult } from '../../../src/contract/v1/bulk-replies.ts'
import { replies } from '../../data/replies.ts'
import { BulkAnswerModal } from '../../forms/BulkAnswerModal.tsx'
import { bulkAnswerTexts } from '../../messages/answers.ts'
import { notifyFailed, notifyNotDone } from '../../ui/confirm.tsx'
import { useReviewSelection } from '../review-selection/selection.tsx'
import { notifyUndone, notifyWillBeSent } from './undo.tsx'

/** Answers the selected reviews with a template. */
export function BulkAnswer() {
  const selection = useReviewSelection()
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  if (selection === null) return null
  const sent = ({ batch_id: batchId, changed, failed }: BulkReplyResult) => {
    setOpen(false)
    selection.clear()
    void queryClient.invalidateQueries()
    if (changed === 0) return notifyNotDone(bulkAnswerTexts.noneSent, failuresOf(failed).join(' '))
    notifyWillBeSent({
      id: batchId,
      message: [bulkAnswerTexts.willBeSent(changed), ...failuresOf(failed)].join(' '),
      onUndo: () =>
        void replies
          .undoMany(batchId)
          .then(notifyUndone, notifyFailed)
          .then(() => queryClient.invalidateQueries()),
      more: (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => void navigate({ to: '/to-answer', search: { batch: batchId } })}
        >
          {bulkAnswerTexts.receipt}
        </Button>
      ),
    })
  }
  return (
    <>
      <Button size="compact-sm" onClick={() => setOpen(true)}>
        {bulkAnswerTexts.open}
      </Button>
      {isOpen && <BulkAnswerModal reviews={selection.rows} onClose={() => setOpen(false)} onSent={sent} />}
    </>
  )
}

/** A sentence for each reason. */
function failuresOf(failed: BulkReplyResult['failed']): string[] {
  const byReason = Map.groupBy(failed, ({ reason }) => reason)
  return [...byReason].map(([reason, of]) => bulkAnswerTexts.failed(of.length, reason))
}
