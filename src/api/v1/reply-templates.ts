import type { Routes } from '../../contract/routes.ts'
import type { FilledTemplateRow, ReplyTemplateRow } from '../../contract/v1/reply-templates.ts'
import type { ReplyTemplate } from '../../model/reply-template.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type ReplyTemplateRouteDeps = { readonly operations: Pick<Operations, 'replyTemplates'> }

export function replyTemplateRoutes(
  table: Routes,
  { operations: { replyTemplates } }: ReplyTemplateRouteDeps,
) {
  return {
    list_reply_templates: apiRoute(table.list_reply_templates, async ({ caller }) =>
      (await replyTemplates.list(caller.accountId)).map(present),
    ),
    create_reply_template: apiRoute(table.create_reply_template, async ({ caller, body }) =>
      present(await replyTemplates.create(caller.accountId, body)),
    ),
    replace_reply_template: apiRoute(table.replace_reply_template, async ({ caller, param, body }) =>
      present(await replyTemplates.replace(caller.accountId, param('id'), body)),
    ),
    delete_reply_template: apiRoute(table.delete_reply_template, async ({ caller, param }) => {
      await replyTemplates.remove(caller.accountId, param('id'))
      return undefined
    }),
    fill_reply_templates: apiRoute(table.fill_reply_templates, async ({ caller, param }) => {
      const templates = await replyTemplates.fill(caller.accountId, param('fingerprint'))
      return templates.map(
        (template): FilledTemplateRow => ({ ...present(template), filled: template.filled }),
      )
    }),
  } as const satisfies Record<string, Route>
}

function present({ id, name, text, language, createdAt, updatedAt }: ReplyTemplate): ReplyTemplateRow {
  return {
    id,
    name,
    text,
    language,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}
