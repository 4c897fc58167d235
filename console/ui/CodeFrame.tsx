import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyIcon } from './CopyValue.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'

/** A scrollable view of `text` with a label and a copy button. */
export function CodeFrame(props: {
  readonly label: string
  readonly text: string
  readonly maxHeight: number
  readonly children: ReactNode
}) {
  const { label, text, maxHeight, children } = props
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyIcon value={text} what={label.toLowerCase()} />
      </Group>
      <ScrollRegion label={label} maxHeight={maxHeight}>
        {children}
      </ScrollRegion>
    </div>
  )
}
