import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { SavedViewLine } from '../../src/contract/console/views.ts'
import { request } from './request.ts'
import { type ReviewSearch, reviewSearch, withPresentNames } from './search.ts'
import { useSession } from './session.ts'

/** Named filters of the review feed, shared by the members of the account. */
export type SavedView = Omit<SavedViewLine, 'filters'> & { readonly filters: ReviewSearch }

const filters = z.pipe(z.pipe(z.record(z.string(), z.unknown()), z.transform(withPresentNames)), reviewSearch)

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }): Promise<SavedView[]> => {
    const stored = await request<SavedViewLine[]>('GET', '/console/views', { signal })
    return stored.map((view) => ({ ...view, filters: filters.parse(view.filters) }))
  },
})

export const savedViews = {
  save: (name: string, search: ReviewSearch) =>
    request<SavedViewLine>('POST', '/console/views', { body: { name, filters: present(search) } }),
  remove: (id: string) => request<void>('DELETE', `/console/views/${encodeURIComponent(id)}`),
} as const

function present(search: ReviewSearch): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

export type LocalView = Pick<SavedView, 'name' | 'filters'>

const localViews = z.catch(z.array(z.object({ name: z.string(), filters })), [])

/** Views that an earlier version stored in this browser, until the user shares them with the account. */
export function useLocalViews() {
  const session = useSession()
  const stored = {
    key: `radar.views.${session.user?.id ?? ''}`,
    defaultValue: [],
    deserialize: (text: string | undefined) => localViews.parse(parsedOr(text)),
  }
  const [views, setViews] = useLocalStorage<LocalView[]>({ ...stored, getInitialValueInEffect: false })
  // A function given to `setViews` would not run after the menu has closed.
  const present = () => readLocalStorageValue<LocalView[]>(stored)
  return {
    views,
    forget: (name: string) => setViews(present().filter((view) => view.name !== name)),
    keep: (view: LocalView) => setViews([...present(), view]),
  }
}

function parsedOr(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '[]')
  } catch {
    return []
  }
}
