import { focusManager, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { appsQuery, appVersionsQuery } from '../../data/apps.ts'
import { figuresQuery } from '../../data/compare.ts'
import { RequestFailed } from '../../data/request.ts'
import { type AppVersion, versionsOf } from '../../util/app-versions.ts'
import { type Column, type Listing, type Resolved, resolved } from '../../util/comparison.ts'
import type { Figures } from '../../util/figures.ts'

export type ColumnResult = {
  readonly column: Column
  /** The newest first, empty while they load. */
  readonly versions: readonly AppVersion[]
  readonly resolved: Resolved
  readonly state:
    | { readonly kind: 'loading' }
    | { readonly kind: 'invalid' }
    | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
    | { readonly kind: 'loaded'; readonly figures: Figures }
}

const NOT_TRACKED = { kind: 'invalid', problem: 'app' } as const

/** Sooner, a reader who comes back finds the figures as they were. */
const RENEWED_AFTER_MS = 60_000

/** Loads the columns, each by itself: one that fails or waits leaves the others shown. */
export function useComparison(columns: readonly Column[]): readonly ColumnResult[] {
  const [now, setNow] = useState(() => new Date())
  const results = useResults(columns, now)
  useRenewal(results, now, setNow)
  return results
}

/** A reader who comes back sees the periods until now, once their figures are loaded. */
function useRenewal(results: readonly ColumnResult[], now: Date, renew: (now: Date) => void): void {
  const queryClient = useQueryClient()
  useEffect(() =>
    focusManager.subscribe((isFocused) => {
      const next = new Date()
      if (!isFocused || next.getTime() - now.getTime() < RENEWED_AFTER_MS) return
      const selections = results
        .filter((result) => result.resolved.kind === 'selected')
        .map(({ column, versions }) => selectionsOf(resolved(column, versions, next)))
      Promise.all(selections.map((each) => queryClient.fetchQuery(figuresQuery(each)))).then(
        () => renew(next),
        // The shown figures are still those of the shown periods.
        () => undefined,
      )
    }),
  )
}

function useResults(columns: readonly Column[], now: Date): readonly ColumnResult[] {
  const listings = distinct(
    columns.flatMap((column) => column.listings),
    keyOf,
  )
  const pages = useQueries({
    queries: listings.map(({ store, app_id }) => appVersionsQuery(store, app_id)),
  })
  const pagesOf = (column: Column) =>
    column.listings.flatMap((listing) => {
      const page = pages[listings.findIndex((each) => keyOf(each) === keyOf(listing))]
      return page === undefined ? [] : [page]
    })
  const found = columns.map((column) => {
    if (pagesOf(column).some(({ error }) => error instanceof RequestFailed && error.status === 404))
      return { column, versions: [], resolved: NOT_TRACKED }
    const loaded = pagesOf(column).flatMap(({ data }) => (data === undefined ? [] : [data]))
    const versions = loaded.length === column.listings.length ? versionsOf(loaded) : undefined
    return { column, versions, resolved: resolved(column, versions, now) }
  })
  const selections = distinct(
    found.map((each) => selectionsOf(each.resolved)),
    (each) => JSON.stringify(each),
  )
  const figures = useQueries({ queries: selections.map(figuresQuery) })
  return found.map(({ column, versions = [], resolved }) => {
    const key = JSON.stringify(selectionsOf(resolved))
    const query = figures[selections.findIndex((each) => JSON.stringify(each) === key)]
    const waitsFor = resolved.kind === 'waiting' ? pagesOf(column) : query === undefined ? [] : [query]
    return { column, versions, resolved, state: stateOf(resolved, waitsFor, query?.data) }
  })
}

/** The names of the account's apps. */
export function useAppNames() {
  const { data: apps = [] } = useQuery(appsQuery)
  return ({ store, app_id }: Listing) =>
    apps.find((app) => app.store === store && app.app_id === app_id)?.name ?? app_id
}

function stateOf(
  resolved: Resolved,
  queries: readonly { readonly error: Error | null; readonly refetch: () => unknown }[],
  figures: Figures | undefined,
): ColumnResult['state'] {
  if (resolved.kind === 'invalid') return { kind: 'invalid' }
  if (resolved.kind === 'selected' && figures !== undefined) return { kind: 'loaded', figures }
  const failed = queries.filter(({ error }) => error !== null)
  const error = failed[0]?.error
  if (error == null) return { kind: 'loading' }
  return { kind: 'failed', error, retry: () => failed.forEach(({ refetch }) => void refetch()) }
}

function selectionsOf(resolved: Resolved) {
  return resolved.kind === 'selected' ? resolved.selections : null
}

function keyOf({ store, app_id }: Listing): string {
  return `${store}/${app_id}`
}

/** A query must not be observed twice. */
function distinct<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
