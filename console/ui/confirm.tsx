import { Button, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { commonTexts, stateTexts } from '../messages/common.ts'

/** Asks before an irreversible action. The text names the consequence; the button repeats the verb. */
export function confirmDestructive(options: {
  readonly title: string
  readonly consequence: ReactNode
  readonly verb: string
  readonly onConfirm: () => void
}): void {
  modals.openConfirmModal({
    title: options.title,
    children: <Text size="sm">{options.consequence}</Text>,
    labels: { confirm: options.verb, cancel: commonTexts.cancel },
    confirmProps: { color: 'red' },
    onConfirm: options.onConfirm,
  })
}

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000 })
}

/** Says what was done, with a button that undoes it. */
export function notifyUndoable(message: string, verb: string, undo: () => void): void {
  const id = notifications.show({
    color: 'teal',
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {verb}
        </Button>
      </Group>
    ),
  })
}

export function notifyFailed(error: unknown): void {
  notifications.show({
    title: stateTexts.requestFailed,
    message: error instanceof Error ? error.message : stateTexts.unexpectedError,
    color: 'red',
    autoClose: 10_000,
  })
}
