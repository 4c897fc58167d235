import { useLocalStorage } from '@mantine/hooks'
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

const localViews = z.catch(z.array(z.object({ name: z.string(), filters })), [])

/** Views that an earlier version stored in this browser, until the user shares them with the account. */
export function useLocalViews() {
  const session = useSession()
  const [views, setViews] = useLocalStorage<z.infer<typeof localViews>>({
    key: `radar.views.${session.user?.id ?? ''}`,
    defaultValue: [],
    deserialize: (text) => localViews.parse(parsedOr(text)),
    getInitialValueInEffect: false,
  })
  return { views, forget: (name: string) => setViews((all) => all.filter((view) => view.name !== name)) }
}

function parsedOr(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '[]')
  } catch {
    return []
  }
}
