import { Text, VisuallyHidden } from '@mantine/core'
import { appTexts } from '../../messages/app.ts'
import { changeTexts } from '../../messages/common.ts'
import type { Change } from './change.ts'

const WORDS = { up: appTexts.upBy, down: appTexts.downBy, same: appTexts.noChange } as const
const ARROWS = { up: '▲', down: '▼', same: '' } as const

/** A change with an arrow, in green or red where one direction is better. */
export function ChangeText({
  change,
  better,
}: {
  readonly change: Change | null
  readonly better: 'up' | 'down' | null
}) {
  if (change === null) return null
  const { text, direction } = change
  if (direction === 'same') {
    return (
      <Text span size="sm" c="dimmed">
        {appTexts.noChange}
      </Text>
    )
  }
  const color = better === null ? null : direction === better ? 'teal' : 'red'
  return (
    <Text span size="sm" fw={600} {...(color === null ? {} : { c: `var(--mantine-color-${color}-text)` })}>
      {text === changeTexts.new ? null : <VisuallyHidden>{WORDS[direction]}</VisuallyHidden>}
      <span aria-hidden>{ARROWS[direction]}</span> {text}
    </Text>
  )
}
