import type { ReplyTemplate } from '../../model/reply-template.ts'
import { dateOf, msOf } from '../values.ts'

export const TEMPLATE_COLUMNS = 'id, account_id, name, text, language, created_at, updated_at'

export type TemplateRow = {
  id: string
  account_id: string
  name: string
  text: string
  language: string | null
  created_at: number
  updated_at: number
}

export function templateOf(row: TemplateRow): ReplyTemplate {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    text: row.text,
    language: row.language,
    createdAt: dateOf(row.created_at),
    updatedAt: dateOf(row.updated_at),
  }
}

/** In the order of `TEMPLATE_COLUMNS`. */
export function templateValues(template: ReplyTemplate) {
  const { id, accountId, name, text, language, createdAt, updatedAt } = template
  return [id, accountId, name, text, language, msOf(createdAt), msOf(updatedAt)] as const
}

/** The engines collate differently. */
export function byName(templates: readonly ReplyTemplate[]): ReplyTemplate[] {
  return templates.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
