import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  BulkReplyResult,
  ReplyBatch,
  ReplyPreviewRow,
  UndoneReplies,
} from '../../src/contract/v1/bulk-replies.ts'
import type { ReplyDraft, ReplyRow } from '../../src/contract/v1/replies.ts'
import type { ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import type { ReviewCount, ReviewRow } from '../../src/contract/v1/reviews.ts'
import { UNDO_SECONDS } from '../../src/model/input-limits.ts'
import type { AnswerState, ReplyState } from '../../src/model/reply.ts'
import { request } from './request.ts'
import { changeRows } from './reviews.ts'

/** How often an answer under way is read again. */
const FOLLOW_MS = 2_000
const UNDER_WAY: ReadonlySet<string> = new Set<ReplyState>(['pending', 'sent', 'deleting'])
/** Reviews of the queue on its page. More would make the page slow, and the next ones follow. */
const QUEUE_SHOWN = 25

const path = (fingerprint: string) => `/v1/reviews/${encodeURIComponent(fingerprint)}/reply`
const batchPath = (id: string) => `/v1/reply-batches/${encodeURIComponent(id)}`

export function replyQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reply', fingerprint],
    queryFn: ({ signal }) => request<ReplyRow>('GET', path(fingerprint), { signal }),
    refetchInterval: ({ state }) => (UNDER_WAY.has(state.data?.state ?? '') ? FOLLOW_MS : false),
  })
}

export const toAnswerQuery = queryOptions({
  queryKey: ['toAnswer'],
  queryFn: ({ signal }) =>
    request<ReviewRow[]>('GET', '/v1/reviews/to-answer', { query: { limit: String(QUEUE_SHOWN) }, signal }),
})

export const toAnswerCountQuery = queryOptions({
  queryKey: ['toAnswerCount'],
  queryFn: ({ signal }) => request<ReviewCount>('GET', '/v1/reviews/to-answer/count', { signal }),
})

/** The answers of a batch, followed until the store has decided on each. */
export function replyBatchQuery(id: string) {
  return queryOptions({
    queryKey: ['replyBatch', id],
    queryFn: ({ signal }) => request<ReplyBatch>('GET', batchPath(id), { signal }),
    // Not after an error: the batch ends when its last answer is undone or replaced.
    refetchInterval: ({ state: { status, data } }) =>
      status === 'success' && data?.replies.some((reply) => UNDER_WAY.has(reply.state)) ? FOLLOW_MS : false,
    retry: false,
  })
}

export function replyPreviewQuery(template: ReplyTemplateRow, fingerprints: readonly string[]) {
  const body = { template_id: template.id, fingerprints }
  return queryOptions({
    queryKey: ['replyPreview', template.id, template.updated_at, fingerprints],
    queryFn: ({ signal }) =>
      request<ReplyPreviewRow[]>('POST', '/v1/reviews/replies/preview', { body, signal }),
    staleTime: 0,
  })
}

const undo_seconds = UNDO_SECONDS.person

export const replies = {
  publish: (fingerprint: string, text: string) =>
    request<ReplyRow>('PUT', path(fingerprint), { body: { text, undo_seconds } }),
  undo: (fingerprint: string) => request<ReplyRow>('POST', `${path(fingerprint)}/undo`),
  saveDraft: (fingerprint: string, text: string | null) =>
    request<ReplyRow>('PUT', `${path(fingerprint)}/draft`, { body: { text } }),
  /** A draft by the model server, which is neither stored nor sent. */
  generate: (fingerprint: string) => request<ReplyDraft>('POST', `${path(fingerprint)}/draft`),
  remove: (fingerprint: string) => request<ReplyRow>('DELETE', path(fingerprint)),
  publishMany: (template: ReplyTemplateRow, fingerprints: readonly string[]) =>
    request<BulkReplyResult>('POST', '/v1/reviews/replies', {
      body: {
        template_id: template.id,
        template_updated_at: template.updated_at,
        fingerprints,
        undo_seconds,
      },
    }),
  undoMany: (batchId: string) => request<UndoneReplies>('POST', `${batchPath(batchId)}/undo`),
} as const

/** Stores an answer that the service returned, and shows its state in the lists that are open. */
export function storeReply(queryClient: QueryClient, fingerprint: string, reply: ReplyRow): void {
  const { queryKey } = replyQuery(fingerprint)
  // One that is being read may be from before the change.
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, reply)
  const state = answerStateOf(reply)
  changeRows(queryClient, (row) =>
    row.fingerprint === fingerprint ? { ...row, answer_state: state ?? row.answer_state } : row,
  )
  void queryClient.invalidateQueries({ queryKey: toAnswerCountQuery.queryKey })
}

/** As the lists have it; null where only the service knows: whether the review was edited, and the public page. */
function answerStateOf({ state, draft, shown_text: shown }: ReplyRow): AnswerState | null {
  if (UNDER_WAY.has(state)) return 'pending'
  if (state === 'refused') return 'refused'
  if (state === 'published') return null
  if (draft !== null) return 'draft'
  return shown === null ? 'unanswered' : null
}
