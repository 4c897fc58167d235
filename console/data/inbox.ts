import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { InboxPage } from '../../src/contract/console/inbox.ts'
import { request } from './request.ts'

export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => request<InboxPage>('GET', '/console/inbox', { signal }),
})

type App = { readonly store: string; readonly app_id: string }

/** Subscribes the inbox to these apps, or to all apps for null, then opens the inbox. */
export function useOpenInbox() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (apps: readonly App[] | null) => {
      const bodies = apps === null ? [{}] : apps.map(({ store, app_id }) => ({ app: { store, app_id } }))
      for (const body of bodies) await request('POST', '/console/inbox', { body })
    },
    onSuccess: async () => {
      for (const key of ['inbox', 'destinations', 'overview']) {
        await queryClient.invalidateQueries({ queryKey: [key] })
      }
      await navigate({ to: '/inbox' })
    },
  })
}
