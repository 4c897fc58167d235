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

/** Says what was done, with a button that undoes it. `id` lets it be hidden from elsewhere; `more` stands after the button. */
export function notifyUndoable(options: {
  readonly message: string
  readonly onUndo: () => void
  readonly id?: string
  readonly closesAfterMs?: number
  readonly more?: ReactNode
}): void {
  const id = notifications.show({
    ...(options.id !== undefined && { id: options.id }),
    color: 'teal',
    autoClose: options.closesAfterMs ?? 10_000,
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
            {commonTexts.undo}
          </Button>
          {options.more}
        </Group>
      </Group>
    ),
  })
}

export function notifyFailed(error: unknown): void {
  notifyNotDone(stateTexts.requestFailed, error instanceof Error ? error.message : stateTexts.unexpectedError)
}

/** For a request that succeeded and could not do what was asked. */
export function notifyNotDone(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', autoClose: 10_000 })
}
