import { useNavigate, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Record<string, string>>

/** The filters of a list live in the page's address, so that a view can be kept, shared and gone back to. */
export function useFilters(): {
  readonly filters: Filters
  /** Sets one filter, or several at once; an empty value takes a filter away. Replaces the address, so that back leads off the list. */
  readonly setFilter: {
    (name: string, value: string | null): void
    (values: Readonly<Record<string, string | null>>): void
  }
  readonly clear: () => void
  readonly any: boolean
} {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const filters = keepSet(search)
  const go = (next: Filters) => void navigate({ to: '.', search: next as never, replace: true })
  return {
    filters,
    setFilter: (change: string | Readonly<Record<string, string | null>>, value: string | null = null) =>
      go(keepSet({ ...filters, ...(typeof change === 'string' ? { [change]: value } : change) })),
    clear: () => go({}),
    any: Object.keys(filters).length > 0,
  }
}

function keepSet(values: Readonly<Record<string, unknown>>): Filters {
  const set = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]))
}
