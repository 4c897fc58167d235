import { DraftBody, type GeneratedDraft, ReplyBody, type ReplyPanel } from '../../contract/console/replies.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ReplyView } from '../../operations/replies/replies.ts'
import { type Route, route } from '../route.ts'

export type ReplyRouteDeps = { readonly operations: Pick<Operations, 'replies'> }

/** Answers to reviews. Every member may answer. */
export function replyRoutes({ operations: { replies } }: ReplyRouteDeps): Route[] {
  const path = '/reviews/:fingerprint/reply'
  return [
    route({
      method: 'GET',
      path,
      run: async ({ caller, param }) => present(await replies.get(caller.accountId, param('fingerprint'))),
    }),

    route({
      method: 'PUT',
      path,
      body: ReplyBody,
      run: async ({ caller: { accountId, user }, param, body }) =>
        present(await replies.publish(accountId, param('fingerprint'), body.text, user.name)),
    }),

    route({
      method: 'PUT',
      path: `${path}/draft`,
      body: DraftBody,
      run: async ({ caller, param, body }) =>
        present(await replies.saveDraft(caller.accountId, param('fingerprint'), body.text)),
    }),

    route({
      method: 'POST',
      path: `${path}/draft`,
      run: async ({ caller, param }): Promise<GeneratedDraft> => ({
        text: await replies.generate(caller.accountId, param('fingerprint')),
      }),
    }),

    route({
      method: 'DELETE',
      path,
      run: async ({ caller: { accountId, user }, param }) =>
        present(await replies.remove(accountId, param('fingerprint'), user.name)),
    }),
  ]
}

function present({ reply, ...view }: ReplyView): ReplyPanel {
  const shown = reply && {
    state: reply.state,
    text: reply.text,
    shownText: reply.shownText,
    draft: reply.draft,
    problem: reply.problem,
    author: reply.author,
    requestedAt: reply.requestedAt?.toISOString() ?? null,
    updatedAt: reply.updatedAt.toISOString(),
    nextAttemptAt: reply.nextAttemptAt?.toISOString() ?? null,
  }
  return { reply: shown, ...view }
}
