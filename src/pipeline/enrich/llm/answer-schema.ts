import { z } from 'zod'
import { SENTIMENTS, SEVERITIES, THEMES } from '../../../model/vocabulary.ts'

/**
 * The shape of a model's answer. `accept` checks enums, nullability and lengths: servers do not reliably enforce a
 * schema, and one wrong word should cost a repair, not the whole batch.
 */
export const ModelItem = z.object({
  id: z.string(),
  language: z.string(),
  sentiment: z.string(),
  themes: z.array(z.string()),
  is_feature_request: z.boolean(),
  feature_slug: z.string().nullish(),
  feature_phrase: z.string().nullish(),
  is_bug_report: z.boolean(),
  severity: z.string(),
  mentions_competitor: z.boolean(),
  competitor_named: z.string().nullish(),
  other_topic: z.string().nullish(),
  summary_en: z.string(),
})
export type ModelItem = z.infer<typeof ModelItem>

export const ModelAnswer = z.object({ reviews: z.array(z.unknown()) })

const nullable = { type: ['string', 'null'] }

/**
 * The JSON schema for servers with structured output. The strict mode of chat completions requires every field,
 * nullable instead of optional, and allows no additional fields, lengths or patterns.
 */
export const ANSWER_JSON_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['reviews'],
  properties: {
    reviews: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: Object.keys(ModelItem.shape),
        properties: {
          id: { type: 'string' },
          language: { type: 'string' },
          sentiment: { type: 'string', enum: SENTIMENTS },
          themes: { type: 'array', items: { type: 'string', enum: THEMES } },
          is_feature_request: { type: 'boolean' },
          feature_slug: nullable,
          feature_phrase: nullable,
          is_bug_report: { type: 'boolean' },
          severity: { type: 'string', enum: SEVERITIES },
          mentions_competitor: { type: 'boolean' },
          competitor_named: nullable,
          other_topic: nullable,
          summary_en: { type: 'string' },
        },
      },
    },
  },
} as const
