import {
  type FilledTemplateLine,
  TemplateBody,
  type TemplateLine,
} from '../../contract/console/reply-templates.ts'
import type { ReplyTemplate } from '../../model/reply-template.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type ReplyTemplateRouteDeps = { readonly operations: Pick<Operations, 'replyTemplates'> }

/** Saved answers. Every member may answer, so every member may change them. */
export function replyTemplateRoutes({ operations: { replyTemplates } }: ReplyTemplateRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/reply-templates',
      run: async ({ caller }) => (await replyTemplates.list(caller.accountId)).map(present),
    }),

    route({
      method: 'POST',
      path: '/reply-templates',
      body: TemplateBody,
      run: async ({ caller, body }) => present(await replyTemplates.create(caller.accountId, body)),
    }),

    route({
      method: 'PUT',
      path: '/reply-templates/:id',
      body: TemplateBody,
      run: async ({ caller, param, body }) =>
        present(await replyTemplates.replace(caller.accountId, param('id'), body)),
    }),

    route({
      method: 'DELETE',
      path: '/reply-templates/:id',
      run: ({ caller, param }) => replyTemplates.remove(caller.accountId, param('id')),
    }),

    route({
      method: 'GET',
      path: '/reviews/:fingerprint/reply-templates',
      run: async ({ caller, param }): Promise<FilledTemplateLine[]> =>
        (await replyTemplates.fill(caller.accountId, param('fingerprint'))).map((template) => ({
          ...present(template),
          filled: template.filled,
        })),
    }),
  ]
}

function present({ id, name, text, language, updatedAt }: ReplyTemplate): TemplateLine {
  return { id, name, text, language, updatedAt: updatedAt.toISOString() }
}
