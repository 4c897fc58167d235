import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useVirtualRows } from './use-virtual-rows.ts'

/** The attributes of each row of a `VirtualBody`. */
export type RowProps = {
  readonly ref: (row: HTMLTableRowElement | null) => void
  readonly 'data-index': number
  readonly 'aria-rowindex': number
}

/** The body of a table that has only the rows near the visible part of the page. The table needs `aria-rowcount`. */
export function VirtualBody<T>({
  rows,
  columnCount,
  estimatedPx,
  children,
}: {
  readonly rows: readonly T[]
  readonly columnCount: number
  readonly estimatedPx: number
  readonly children: (row: T, props: RowProps) => ReactNode
}) {
  const { start, items, before, after, measure } = useVirtualRows<HTMLTableSectionElement>(
    rows.length,
    estimatedPx,
  )
  return (
    <Table.Tbody ref={start}>
      <Spacer height={before} columnCount={columnCount} />
      {items.map(({ index }) => {
        const row = rows[index]
        // The heading is the first row.
        return (
          row !== undefined &&
          children(row, { ref: measure, 'data-index': index, 'aria-rowindex': index + 2 })
        )
      })}
      <Spacer height={after} columnCount={columnCount} />
    </Table.Tbody>
  )
}

/** Takes the place of the rows that are not in the page. */
function Spacer({ height, columnCount }: { readonly height: number; readonly columnCount: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={columnCount} style={{ height, padding: 0 }} />
    </tr>
  )
}
