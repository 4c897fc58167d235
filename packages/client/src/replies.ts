import type { Call, CallOptions } from './transport.ts'
import type {
  BulkReplyBody,
  BulkReplyResult,
  FilledReplyTemplate,
  Reply,
  ReplyBatch,
  ReplyDraft,
  ReplyPreview,
  ReplyPreviewBody,
  ReplyTemplate,
  ReplyTemplateBody,
  Review,
  ReviewCount,
  UndoneReplies,
} from './types.ts'

export type ReplyOptions = CallOptions & {
  /** Seconds before the answer is sent, in which `undoReply` takes it back. By default it is sent at once. */
  readonly undoSeconds?: number
}

/** The calls about answers to reviews and their templates. */
export function replyCalls(call: Call) {
  const reply = (fingerprint: string) => `/reviews/${encodeURIComponent(fingerprint)}/reply`
  const replyTemplate = (id: string) => `/reply-templates/${encodeURIComponent(id)}`
  const batch = (id: string) => `/reply-batches/${encodeURIComponent(id)}`

  return {
    getReply: (fingerprint: string, callOptions?: CallOptions) =>
      call<Reply>({ method: 'GET', path: reply(fingerprint) }, callOptions),
    /** Publishes an answer in the store, or replaces the present one. */
    reply: (fingerprint: string, text: string, { undoSeconds, ...callOptions }: ReplyOptions = {}) =>
      call<Reply>(
        { method: 'PUT', path: reply(fingerprint), json: { text, undo_seconds: undoSeconds } },
        callOptions,
      ),
    /** Takes back an answer that is not sent yet. Its text becomes the draft. */
    undoReply: (fingerprint: string, callOptions?: CallOptions) =>
      call<Reply>({ method: 'POST', path: `${reply(fingerprint)}/undo` }, callOptions),
    /** Stores a draft, which is never sent by itself; null removes it. */
    saveReplyDraft: (fingerprint: string, text: string | null, callOptions?: CallOptions) =>
      call<Reply>({ method: 'PUT', path: `${reply(fingerprint)}/draft`, json: { text } }, callOptions),
    /** A draft by the model server of the installation. It is neither stored nor sent. */
    draftReply: (fingerprint: string, callOptions?: CallOptions) =>
      call<ReplyDraft>({ method: 'POST', path: `${reply(fingerprint)}/draft` }, callOptions),
    deleteReply: (fingerprint: string, callOptions?: CallOptions) =>
      call<Reply>({ method: 'DELETE', path: reply(fingerprint) }, callOptions),

    /** Reviews that wait for an answer: fewest stars first, then newest. */
    listReviewsToAnswer: (query: { readonly limit?: number } = {}, callOptions?: CallOptions) =>
      call<Review[]>({ method: 'GET', path: '/reviews/to-answer', query }, callOptions),
    /** Their number, up to 1,000. */
    countReviewsToAnswer: (callOptions?: CallOptions) =>
      call<ReviewCount>({ method: 'GET', path: '/reviews/to-answer/count' }, callOptions),
    /** The text of a template for each of the reviews. Stores and sends nothing. */
    previewReplies: (body: ReplyPreviewBody, callOptions?: CallOptions) =>
      call<ReplyPreview[]>({ method: 'POST', path: '/reviews/replies/preview', json: body }, callOptions),
    /** Answers several reviews with a template. */
    replyToMany: (body: BulkReplyBody, callOptions?: CallOptions) =>
      call<BulkReplyResult>({ method: 'POST', path: '/reviews/replies', json: body }, callOptions),
    /** The answers of one call that were neither undone nor replaced. */
    getReplyBatch: (id: string, callOptions?: CallOptions) =>
      call<ReplyBatch>({ method: 'GET', path: batch(id) }, callOptions),
    undoReplyBatch: (id: string, callOptions?: CallOptions) =>
      call<UndoneReplies>({ method: 'POST', path: `${batch(id)}/undo` }, callOptions),

    /** Saved answers of the account, by name. */
    listReplyTemplates: (callOptions?: CallOptions) =>
      call<ReplyTemplate[]>({ method: 'GET', path: '/reply-templates' }, callOptions),
    createReplyTemplate: (template: ReplyTemplateBody, callOptions?: CallOptions) =>
      call<ReplyTemplate>({ method: 'POST', path: '/reply-templates', json: template }, callOptions),
    replaceReplyTemplate: (id: string, template: ReplyTemplateBody, callOptions?: CallOptions) =>
      call<ReplyTemplate>({ method: 'PUT', path: replyTemplate(id), json: template }, callOptions),
    deleteReplyTemplate: (id: string, callOptions?: CallOptions) =>
      call<void>({ method: 'DELETE', path: replyTemplate(id) }, callOptions),
    /** The saved answers with the values of a review, those in its language first. Sends nothing. */
    fillReplyTemplates: (fingerprint: string, callOptions?: CallOptions) =>
      call<FilledReplyTemplate[]>(
        { method: 'GET', path: `/reviews/${encodeURIComponent(fingerprint)}/reply-templates` },
        callOptions,
      ),
  } as const
}
