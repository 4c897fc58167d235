import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { tableTexts } from '../../messages/common.ts'

/** The number of selected rows and what can be done with them. */
export function BulkBar({
  count,
  hint,
  selected = tableTexts.selected(count),
  onClear,
  children,
}: {
  readonly count: number
  /** Shown while nothing is selected. */
  readonly hint: string
  /** How many are selected, as a text. */
  readonly selected?: string
  readonly onClear: () => void
  readonly children: ReactNode
}) {
  return (
    <Group gap="xs" mih={36}>
      <Text size="sm" aria-live="polite">
        {count === 0 ? hint : selected}
      </Text>
      {count > 0 && children}
      {count > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          {tableTexts.clearSelection}
        </Button>
      )}
    </Group>
  )
}
