import type { ReactNode } from 'react'

/** A column of `DataTable`. */
export type Column<T extends object> = {
  readonly id: string
  readonly header: string
  /** What the column is sorted by; a column without it is not sorted. */
  readonly accessorFn: (row: T) => string | number
  readonly cell: (context: { readonly row: { readonly original: T } }) => ReactNode
  readonly enableSorting?: boolean
  readonly sortFn?: 'basic'
  /** Whether a first click sorts the greatest values to the top. */
  readonly sortDescFirst?: boolean
  readonly maxWidth?: number
}
