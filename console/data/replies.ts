import { queryOptions } from '@tanstack/react-query'
import type { GeneratedDraft, ReplyPanel } from '../../src/contract/console/replies.ts'
import { request } from './request.ts'

/** How often an answer under way is read again. */
const FOLLOW_MS = 2_000
const UNDER_WAY = new Set(['pending', 'sent', 'deleting'])

const path = (fingerprint: string) => `/console/reviews/${encodeURIComponent(fingerprint)}/reply`

export function replyQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reply', fingerprint],
    queryFn: ({ signal }) => request<ReplyPanel>('GET', path(fingerprint), { signal }),
    refetchInterval: ({ state }) => (UNDER_WAY.has(state.data?.reply?.state ?? '') ? FOLLOW_MS : false),
  })
}

export const replies = {
  publish: (fingerprint: string, text: string) =>
    request<ReplyPanel>('PUT', path(fingerprint), { body: { text } }),
  saveDraft: (fingerprint: string, text: string | null) =>
    request<ReplyPanel>('PUT', `${path(fingerprint)}/draft`, { body: { text } }),
  /** A draft by the model server, which is neither stored nor sent. */
  generate: (fingerprint: string) => request<GeneratedDraft>('POST', `${path(fingerprint)}/draft`),
  remove: (fingerprint: string) => request<ReplyPanel>('DELETE', path(fingerprint)),
} as const
