import { z } from 'zod'
import { NAME_CHARS_MAX, TEMPLATE_CHARS_MAX } from '../../model/input-limits.ts'

/** `POST /api/console/reply-templates`, `PUT /api/console/reply-templates/:id` */
export const TemplateBody = z.object({
  name: z
    .string({ error: 'name: is required' })
    .max(2 * NAME_CHARS_MAX, `name: at most ${NAME_CHARS_MAX} characters`),
  text: z
    .string({ error: 'text: is required' })
    .max(2 * TEMPLATE_CHARS_MAX, `text: at most ${TEMPLATE_CHARS_MAX} characters`),
  language: z.string({ error: 'language: a code of two letters, or null' }).nullable(),
})
export type TemplateBody = z.infer<typeof TemplateBody>

/** `GET /api/console/reply-templates`, by name. */
export type TemplateLine = {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly language: string | null
  readonly updatedAt: string
}

/** `GET /api/console/reviews/:fingerprint/reply-templates`: those in the language of the review first. */
export type FilledTemplateLine = TemplateLine & { readonly filled: string }
