import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UndoneReplies } from '../../../src/contract/v1/bulk-replies.ts'
import { UNDO_SECONDS } from '../../../src/model/input-limits.ts'
import { replies, storeReply } from '../../data/replies.ts'
import { answerTexts, bulkAnswerTexts } from '../../messages/answers.ts'
import { notifyDone, notifyFailed } from '../../ui/confirm.tsx'

/** Says what will be sent, with a button that takes it back, for as long as it can be. */
export function notifyUndo(options: {
  readonly id: string
  readonly message: string
  readonly onUndo: () => void
  readonly more?: ReactNode
}): void {
  const id = `undo-${options.id}`
  notifications.show({
    id,
    color: 'teal',
    autoClose: UNDO_SECONDS.person * 1_000,
    message: (
      <Group gap="xs" justify="space-between">
        <Text size="sm">{options.message}</Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id)
              options.onUndo()
            }}
          >
            {answerTexts.undo}
          </Button>
          {options.more}
        </Group>
      </Group>
    ),
  })
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
  if (tooLate > 0) notifyFailed(new Error(bulkAnswerTexts.tooLate(tooLate)))
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
    <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
      {answerTexts.undo}
    </Button>
  )
}
