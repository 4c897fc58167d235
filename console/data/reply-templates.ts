import { queryOptions } from '@tanstack/react-query'
import type {
  FilledTemplateLine,
  TemplateBody,
  TemplateLine,
} from '../../src/contract/console/reply-templates.ts'
import { request } from './request.ts'

export const templatesQuery = queryOptions({
  queryKey: ['reply-templates'],
  queryFn: ({ signal }) => request<TemplateLine[]>('GET', '/console/reply-templates', { signal }),
})

/** The templates with the values of a review, those in its language first. */
export function filledTemplatesQuery(fingerprint: string) {
  return queryOptions({
    queryKey: ['reply-templates', fingerprint],
    queryFn: ({ signal }) =>
      request<FilledTemplateLine[]>('GET', `/console/reviews/${encodeURIComponent(fingerprint)}/reply-templates`, {
        signal,
      }),
  })
}

const path = (id: string) => `/v1/reply-templates/${encodeURIComponent(id)}`

export const replyTemplates = {
  create: (body: TemplateBody) => request<TemplateLine>('POST', '/console/reply-templates', { body }),
  replace: (id: string, body: TemplateBody) => request<TemplateLine>('PUT', path(id), { body }),
  remove: (id: string) => request<void>('DELETE', path(id)),
} as const
