import { Text, VisuallyHidden } from '@mantine/core'
import type { Change } from '../../util/change.ts'

const WORDS = { up: 'up by', down: 'down by', same: 'no change' } as const
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
        no change
      </Text>
    )
  }
  const color = better === null ? null : direction === better ? 'teal' : 'red'
  return (
    <Text span size="sm" fw={600} {...(color === null ? {} : { c: `var(--mantine-color-${color}-text)` })}>
      {text === 'new' ? null : <VisuallyHidden>{WORDS[direction]}</VisuallyHidden>}
      <span aria-hidden>{ARROWS[direction]}</span> {text}
    </Text>
  )
}
