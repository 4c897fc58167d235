import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { tableTexts } from '../messages/common.ts'
import { ScrollRegion } from './ScrollRegion.tsx'

/** A table that scrolls horizontally on screens narrower than `minWidth` pixels. */
export function ListTable({
  label,
  minWidth,
  columns,
  actions = false,
  children,
}: {
  readonly label: string
  readonly minWidth: number
  readonly columns: readonly string[]
  /** Adds a column of buttons, whose heading is only for screen readers. */
  readonly actions?: boolean
  readonly children: ReactNode
}) {
  return (
    <ScrollRegion label={label}>
      <Table miw={minWidth}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
            {actions && (
              <Table.Th>
                <VisuallyHidden>{tableTexts.actions}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ScrollRegion>
  )
}
