/** The filters of a list page, read from and written to the address. */
export type FilterControls<S extends object> = {
  readonly filters: S
  /** Sets one filter or several; `undefined` removes one. */
  readonly setFilters: (change: Partial<S>) => void
  readonly clear: () => void
  readonly any: boolean
}

/** `go` replaces the search parameters of the page, so that the back button leaves the list. */
export function filterControls<S extends object>(filters: S, go: (next: S) => void): FilterControls<S> {
  return {
    filters,
    setFilters: (change) => go({ ...filters, ...change }),
    // Every filter is optional.
    clear: () => go({} as S),
    any: Object.values(filters).some((value) => value !== undefined),
  }
}
