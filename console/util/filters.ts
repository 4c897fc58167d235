/** The filters of a list page, stored in the URL. */
export type FilterControls<S extends object> = {
  readonly filters: S
  /** Sets one or more filters; `undefined` removes a filter. */
  readonly setFilters: (change: Partial<S>) => void
  readonly clear: () => void
  readonly isFiltered: boolean
}

/** `go` replaces the search parameters in the browser history, so that the back button leaves the list. */
export function filterControls<S extends object>(filters: S, go: (next: S) => void): FilterControls<S> {
  return {
    filters,
    setFilters: (change) => go({ ...filters, ...change }),
    // Every filter is optional.
    clear: () => go({} as S),
    isFiltered: Object.values(filters).some((value) => value !== undefined),
  }
}
