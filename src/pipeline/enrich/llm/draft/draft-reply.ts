import type { DraftReply } from '../../../../model/reply-draft.ts'
import { type AskModelDeps, type AskModelSettings, createAskModel } from '../ask-model.ts'
import { acceptDraft } from './accept-draft.ts'
import { DRAFT_SHAPE, draftMessages } from './prompt.ts'

/** Drafts answers with the model server of the enrichment. Stores and sends nothing. */
export function createDraftReply(deps: AskModelDeps, settings: AskModelSettings): DraftReply {
  const ask = createAskModel(deps, settings)
  return async (request, signal) => {
    const draft = await ask(
      {
        name: 'draft',
        messages: draftMessages(request),
        shape: DRAFT_SHAPE,
        accept: (answered) => acceptDraft(answered, request.appName ?? '', request.charsMax),
        onFailed: (reason) =>
          deps.log.warn('model.draft_failed', {
            url: deps.url,
            model: deps.model,
            store: request.review.store,
            reason,
          }),
      },
      signal,
    )
    return draft.kind === 'answered' ? { kind: 'drafted', text: draft.value } : draft
  }
}
