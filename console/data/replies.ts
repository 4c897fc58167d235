import { queryOptions } from '@tanstack/react-query'
import type { ReplyDraft, ReplyRow } from '../../src/contract/v1/replies.ts'
import { request } from './request.ts'

/** How often an answer under way is read again. */
const FOLLOW_MS = 2_000
const UNDER_WAY = new Set(['pending', 'sent', 'deleting'])

const path = (fingerprint: string) => `/v1/reviews/${encodeURIComponent(fingerprint)}/reply`

export function replyQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reply', fingerprint],
    queryFn: ({ signal }) => request<ReplyRow>('GET', path(fingerprint), { signal }),
    refetchInterval: ({ state }) => (UNDER_WAY.has(state.data?.state ?? '') ? FOLLOW_MS : false),
  })
}

export const replies = {
  publish: (fingerprint: string, text: string) =>
    request<ReplyRow>('PUT', path(fingerprint), { body: { text } }),
  saveDraft: (fingerprint: string, text: string | null) =>
    request<ReplyRow>('PUT', `${path(fingerprint)}/draft`, { body: { text } }),
  /** A draft by the model server, which is neither stored nor sent. */
  generate: (fingerprint: string) => request<ReplyDraft>('POST', `${path(fingerprint)}/draft`),
  remove: (fingerprint: string) => request<ReplyRow>('DELETE', path(fingerprint)),
} as const
