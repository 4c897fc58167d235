import { z } from 'zod'
import { NAME_CHARS_MAX, TEMPLATE_CHARS_MAX } from '../../model/input-limits.ts'
import { PLACEHOLDER_LIST } from '../../model/reply-template.ts'
import { NO_REVIEW } from '../../model/review.ts'
import { NOT_BLANK, OBJECT, saysUnquoted } from '../field.ts'
import type { Route } from '../route.ts'
import { reviewParams } from './reviews.ts'

const NO_TEMPLATE = 'The account has no answer template with this id.'
const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_TEMPLATE)
    .meta({ description: 'Id of the answer template.' }),
})

const fields = {
  id: z.string(),
  name: z.string(),
  text: z.string().meta({ description: `The saved answer. Placeholders: ${PLACEHOLDER_LIST}.` }),
  language: z
    .string()
    .nullable()
    .meta({ description: 'Language of the text, ISO 639-1; null for any language.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}
export const replyTemplateView = z.object(fields).meta({ id: 'ReplyTemplate' })
export type ReplyTemplateRow = z.infer<typeof replyTemplateView>

export const filledTemplateView = z
  .object({
    ...fields,
    filled: z.string().meta({ description: 'The text with its placeholders replaced.' }),
  })
  .meta({
    id: 'FilledReplyTemplate',
    description: 'A saved answer; `filled` is its text with the values of a review.',
  })
export type FilledTemplateRow = z.infer<typeof filledTemplateView>

/** Text that is not blank, without control characters. */
const ONE_LINE =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$'

const nameProblem = saysUnquoted('name', `text of at most ${NAME_CHARS_MAX} characters`)
const textProblem = saysUnquoted('text', `text of at most ${TEMPLATE_CHARS_MAX} characters`)

export const replyTemplateBody = z
  .object(
    {
      name: z
        .string(nameProblem)
        .max(2 * NAME_CHARS_MAX, nameProblem)
        .meta({
          minLength: 1,
          maxLength: NAME_CHARS_MAX,
          pattern: ONE_LINE,
          description: 'Unique in the account. One line without control characters.',
        }),
      text: z
        .string(textProblem)
        .max(2 * TEMPLATE_CHARS_MAX, textProblem)
        .meta({
          minLength: 1,
          maxLength: TEMPLATE_CHARS_MAX,
          pattern: NOT_BLANK,
          description: `The answer. Placeholders: ${PLACEHOLDER_LIST}.`,
        }),
      language: z
        .string(saysUnquoted('language', 'an ISO 639-1 code of two lowercase letters, such as en, or null'))
        .nullish()
        .meta({
          pattern: '^[a-z]{2}$',
          description: 'Language of the text, ISO 639-1; null or absent for any language.',
        }),
    },
    OBJECT,
  )
  .meta({
    id: 'ReplyTemplateBody',
    examples: [{ name: 'Thanks', text: 'Thank you, {{author}}!', language: 'en' }],
  })

export type ReplyTemplateBody = z.infer<typeof replyTemplateBody>

const INVALID = 'A field is missing or not allowed, or the text has an unknown placeholder.'

export const replyTemplateRoutes = {
  list_reply_templates: {
    method: 'GET',
    path: '/reply-templates',
    tag: 'Reviews',
    scopes: ['read', 'reply'],
    summary: 'List answer templates',
    description: 'The saved answers of the account, by name, at most 200.',
    success: { status: 200, description: 'All answer templates.', schema: z.array(replyTemplateView) },
    errors: {},
  },
  create_reply_template: {
    method: 'POST',
    path: '/reply-templates',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Create an answer template',
    description: 'Saves an answer to insert into answers to reviews.',
    body: replyTemplateBody,
    success: { status: 200, description: 'The answer template.', schema: replyTemplateView },
    errors: {
      400: INVALID,
      409: 'The name is taken, or the account has 200 answer templates.',
    },
  },
  replace_reply_template: {
    method: 'PUT',
    path: '/reply-templates/{id}',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Replace an answer template',
    description: 'Replaces name, text and language. Existing answers do not change.',
    params,
    body: replyTemplateBody,
    success: { status: 200, description: 'The answer template.', schema: replyTemplateView },
    errors: { 400: INVALID, 404: NO_TEMPLATE, 409: 'The name is taken.' },
  },
  delete_reply_template: {
    method: 'DELETE',
    path: '/reply-templates/{id}',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Delete an answer template',
    description: 'Existing answers do not change.',
    params,
    success: { status: 204, description: 'The answer template no longer exists.' },
    errors: { 404: NO_TEMPLATE },
  },
  fill_reply_templates: {
    method: 'GET',
    path: '/reviews/{fingerprint}/reply-templates',
    tag: 'Reviews',
    scopes: ['read', 'reply'],
    summary: 'List answer templates for a review',
    description:
      'The answer templates with their placeholders replaced: those in the language of the review first, then those for any language, then the others. Sends nothing.',
    params: reviewParams,
    success: { status: 200, description: 'All answer templates.', schema: z.array(filledTemplateView) },
    errors: { 404: NO_REVIEW },
  },
} as const satisfies Record<string, Route>
