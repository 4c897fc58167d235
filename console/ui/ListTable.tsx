import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table of things of one kind, a row each; scrolls by itself where the screen is narrower than `minWidth` pixels. */
export function ListTable({
  minWidth,
  columns,
  actions = false,
  children,
}: {
  readonly minWidth: number
  readonly columns: readonly string[]
  /** The last column holds buttons, and its name is for screen readers. */
  readonly actions?: boolean
  readonly children: ReactNode
}) {
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
            {actions && (
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
