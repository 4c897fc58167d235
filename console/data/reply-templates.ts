import { queryOptions } from '@tanstack/react-query'
import type {
  FilledTemplateRow,
  ReplyTemplateBody,
  ReplyTemplateRow,
} from '../../src/contract/v1/reply-templates.ts'
import { request } from './request.ts'

export const templatesQuery = queryOptions({
  queryKey: ['reply-templates'],
  queryFn: ({ signal }) => request<ReplyTemplateRow[]>('GET', '/v1/reply-templates', { signal }),
})

/** The templates with the values of a review, those in its language first. */
export function filledTemplatesQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reply-templates', fingerprint],
    queryFn: ({ signal }) =>
      request<FilledTemplateRow[]>('GET', `/v1/reviews/${encodeURIComponent(fingerprint)}/reply-templates`, {
        signal,
      }),
  })
}

const path = (id: string) => `/v1/reply-templates/${encodeURIComponent(id)}`

export const replyTemplates = {
  create: (body: ReplyTemplateBody) => request<ReplyTemplateRow>('POST', '/v1/reply-templates', { body }),
  replace: (id: string, body: ReplyTemplateBody) => request<ReplyTemplateRow>('PUT', path(id), { body }),
  remove: (id: string) => request<void>('DELETE', path(id)),
} as const
