import { Card, Checkbox, Group, Select, Stack, Table, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import {
  createSortedRowModel,
  type Header,
  type ReactTable,
  type Row,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  type TableState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { tableTexts } from '../../messages/common.ts'
import { ScrollRegion } from '../ScrollRegion.tsx'
import type { Column } from './column.ts'
import { type Selection, selectionState } from './selection.ts'
import { type Sort, sortingOf, sortOf } from './sort.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import { VirtualBody } from './VirtualBody.tsx'

export const FEATURES = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { basic: sortFn_basic },
})
type Features = typeof FEATURES
type Grid<T extends object> = ReactTable<Features, T, TableState<Features>>

/** Narrower screens have cards instead of rows. */
const NARROW = '(max-width: 47.99em)'

const ROW_HEIGHT_PX = 62
const CARD_HEIGHT_PX = 150

type Shown<T extends object> = {
  /** Names the table and, for screen readers, its rows: "Select {nameOf(row)}". */
  readonly label: string
  readonly nameOf: (row: T) => string
  readonly selection?: Selection | undefined
}

/**
 * A table whose rows can be sorted and selected. It has only the rows near the visible part of the page, so that a long list
 * stays fast. `sort` is undefined for a list that the service orders. The columns must not change.
 */
export function DataTable<T extends object>({
  rows,
  columns,
  idOf,
  card,
  minWidth,
  sort,
  onSort,
  ...shown
}: Shown<T> & {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly idOf: (row: T) => string
  /** A row on a narrow screen. */
  readonly card: (row: T) => ReactNode
  readonly minWidth: number
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort | undefined) => void
}) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  const table: Grid<T> = useTable({
    features: FEATURES,
    columns: columns as Column<T>[],
    data: rows as T[],
    getRowId: idOf,
    enableSorting: onSort !== undefined,
    enableSortingRemoval: true,
    enableMultiSort: false,
    state: { sorting: sortingOf(sort), ...selectionState(shown.selection) },
    onSortingChange: (change) =>
      onSort?.(sortOf(typeof change === 'function' ? change(sortingOf(sort)) : change)),
    onRowSelectionChange: (change) => {
      const before = selectionState(shown.selection).rowSelection
      const after = typeof change === 'function' ? change(before) : change
      shown.selection?.set(new Set(Object.keys(after).filter((id) => after[id])))
    },
  })
  return isNarrow ? (
    <Cards table={table} card={card} isSortable={onSort !== undefined} {...shown} />
  ) : (
    <Rows table={table} minWidth={minWidth} {...shown} />
  )
}

function Rows<T extends object>({
  table,
  minWidth,
  label,
  nameOf,
  selection,
}: Shown<T> & { readonly table: Grid<T>; readonly minWidth: number }) {
  const { rows } = table.getRowModel()
  const columnCount = table.getAllLeafColumns().length + (selection === undefined ? 0 : 1)
  return (
    <ScrollRegion label={label}>
      <Table miw={minWidth} highlightOnHover aria-rowcount={rows.length + 1}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id} aria-rowindex={1}>
              {selection !== undefined && (
                <Table.Th w={36}>
                  <SelectAll table={table} />
                </Table.Th>
              )}
              {group.headers.map((header) => (
                <HeaderCell key={header.id} table={table} header={header} />
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <VirtualBody rows={rows} columnCount={columnCount} estimatedPx={ROW_HEIGHT_PX}>
          {(row, props) => (
            <Table.Tr key={row.id} {...props}>
              {selection !== undefined && (
                <Table.Td>
                  <SelectRow row={row} name={nameOf(row.original)} />
                </Table.Td>
              )}
              {row.getAllCells().map((cell) => (
                <Table.Td key={cell.id} maw={(cell.column.columnDef as Column<T>).maxWidth}>
                  <table.FlexRender cell={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </VirtualBody>
      </Table>
    </ScrollRegion>
  )
}

const SORT_ICONS = { asc: IconArrowUp, desc: IconArrowDown, none: IconArrowsSort } as const
const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const

function HeaderCell<T extends object>({
  table,
  header,
}: {
  readonly table: Grid<T>
  readonly header: Header<Features, T, unknown>
}) {
  if (!header.column.getCanSort()) {
    return (
      <Table.Th>
        <table.FlexRender header={header} />
      </Table.Th>
    )
  }
  const direction = header.column.getIsSorted() || 'none'
  const Icon = SORT_ICONS[direction]
  return (
    <Table.Th aria-sort={ARIA_SORT[direction]}>
      <UnstyledButton fz="inherit" fw="inherit" onClick={header.column.getToggleSortingHandler()}>
        <Group gap={4} wrap="nowrap">
          <table.FlexRender header={header} />
          <Icon size={14} aria-hidden opacity={direction === 'none' ? 0.5 : 1} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

function Cards<T extends object>({
  table,
  card,
  isSortable,
  label,
  nameOf,
  selection,
}: Shown<T> & {
  readonly table: Grid<T>
  readonly card: (row: T) => ReactNode
  readonly isSortable: boolean
}) {
  const { rows } = table.getRowModel()
  const { start, items, before, after, measure } = useVirtualRows<HTMLUListElement>(
    rows.length,
    CARD_HEIGHT_PX,
  )
  return (
    <Stack gap="xs">
      {isSortable && <SortSelect table={table} />}
      {selection !== undefined && (
        <Group gap="xs">
          <SelectAll table={table} label={tableTexts.selectAll} />
        </Group>
      )}
      <ul
        ref={start}
        aria-label={label}
        style={{ listStyle: 'none', margin: 0, padding: `${before}px 0 ${after}px` }}
      >
        {items.map(({ index }) => {
          const row = rows[index]
          return (
            row !== undefined && (
              <li
                key={row.id}
                ref={measure}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={rows.length}
                style={{ paddingBottom: 8 }}
              >
                <Card withBorder padding="sm">
                  <Group wrap="nowrap" align="flex-start">
                    {selection !== undefined && <SelectRow row={row} name={nameOf(row.original)} />}
                    <div style={{ flex: 1, minWidth: 0 }}>{card(row.original)}</div>
                  </Group>
                </Card>
              </li>
            )
          )
        })}
      </ul>
    </Stack>
  )
}

/** Cards have no headings to sort by. */
function SortSelect<T extends object>({ table }: { readonly table: Grid<T> }) {
  const options = table
    .getAllLeafColumns()
    .filter((column) => column.getCanSort())
    .flatMap((column) => {
      const name = String(column.columnDef.header)
      return [
        { value: column.id, label: tableTexts.ascending(name) },
        { value: `-${column.id}`, label: tableTexts.descending(name) },
      ]
    })
  return (
    <Select
      label={tableTexts.sortBy}
      placeholder={tableTexts.defaultOrder}
      data={options}
      value={sortOf(table.state.sorting) ?? null}
      onChange={(sort) => table.setSorting(sortingOf(sort ?? undefined))}
      clearable
      clearButtonProps={{ 'aria-label': tableTexts.clearSorting }}
    />
  )
}

function SelectAll<T extends object>({ table, label }: { readonly table: Grid<T>; readonly label?: string }) {
  return (
    <Checkbox
      {...(label === undefined ? { 'aria-label': tableTexts.selectAll } : { label })}
      checked={table.getIsAllRowsSelected()}
      indeterminate={!table.getIsAllRowsSelected() && table.getIsSomeRowsSelected()}
      onChange={table.getToggleAllRowsSelectedHandler()}
    />
  )
}

function SelectRow<T extends object>({
  row,
  name,
}: {
  readonly row: Row<Features, T>
  readonly name: string
}) {
  return (
    <Checkbox
      aria-label={tableTexts.select(name)}
      checked={row.getIsSelected()}
      onChange={row.getToggleSelectedHandler()}
    />
  )
}
