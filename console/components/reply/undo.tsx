import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UndoneReplies } from '../../../src/contract/v1/bulk-replies.ts'
import { UNDO_SECONDS } from '../../../src/model/input-limits.ts'
import { replies, storeReply } from '../../data/replies.ts'
import { answerTexts, bulkAnswerTexts } from '../../messages/answers.ts'
import { commonTexts } from '../../messages/common.ts'
import { notifyDone, notifyFailed, notifyNotDone, notifyUndoable } from '../../ui/confirm.tsx'
import { MayChange } from '../MayChange.tsx'

/** Says what will be sent, with a button that takes it back, for as long as it can be. `id`: of the answer or the batch. */
export function notifyWillBeSent(options: {
  readonly id: string
  readonly message: string
  readonly onUndo: () => void
  readonly more?: ReactNode
}): void {
  notifyUndoable({ ...options, id: `undo-${options.id}`, closesAfterMs: UNDO_SECONDS.person * 1_000 })
}

/** Takes back an answer that is not sent yet. */
export async function undoAnswer(queryClient: QueryClient, fingerprint: string): Promise<void> {
  try {
    storeReply(queryClient, fingerprint, await replies.undo(fingerprint))
    void queryClient.invalidateQueries({ queryKey: ['toAnswer'] })
    notifyDone(answerTexts.undone)
  } catch (error) {
    notifyFailed(error)
    await queryClient.invalidateQueries({ queryKey: ['reply', fingerprint] })
  }
}

/** Says how many answers of a batch were taken back. */
export function notifyUndone({ undone, too_late: tooLate }: UndoneReplies): void {
  notifyDone(bulkAnswerTexts.undone(undone))
  if (tooLate > 0) notifyNotDone(bulkAnswerTexts.notUndone, bulkAnswerTexts.tooLate(tooLate))
}

/** Shown while an answer waits to be sent. */
export function UndoButton({ fingerprint }: { readonly fingerprint: string }) {
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: async () => {
      notifications.hide(`undo-${fingerprint}`)
      await undoAnswer(queryClient, fingerprint)
    },
  })
  return (
    <MayChange>
      <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
        {commonTexts.undo}
      </Button>
    </MayChange>
  )
}
