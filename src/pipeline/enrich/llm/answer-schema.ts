import { z } from 'zod'
import { SENTIMENTS, SEVERITIES, THEMES } from '../../../model/vocabulary.ts'

/**
 * What a model is asked for. The strict mode of chat completions requires every field, nullable instead of optional, and allows
 * no others, lengths or patterns.
 */
const requestedItem = z.strictObject({
  id: z.string(),
  language: z.string(),
  sentiment: z.enum(SENTIMENTS),
  themes: z.array(z.enum(THEMES)),
  is_feature_request: z.boolean(),
  feature_slug: z.string().nullable(),
  feature_phrase: z.string().nullable(),
  is_bug_report: z.boolean(),
  severity: z.enum(SEVERITIES),
  mentions_competitor: z.boolean(),
  competitor_named: z.string().nullable(),
  other_topic: z.string().nullable(),
  summary_en: z.string(),
})

const { $schema: _, ...schema } = z.toJSONSchema(z.strictObject({ reviews: z.array(requestedItem) }))
/** For servers with structured output. */
export const ANSWER_JSON_SCHEMA = schema

/**
 * The shape of a model's answer. `accept` checks enums, nullability and lengths: servers do not reliably enforce a
 * schema, and one wrong word should cost a repair, not the whole batch.
 */
export const ModelItem = z.object({
  ...requestedItem.shape,
  sentiment: z.string(),
  themes: z.array(z.string()),
  feature_slug: z.string().nullish(),
  feature_phrase: z.string().nullish(),
  severity: z.string(),
  competitor_named: z.string().nullish(),
  other_topic: z.string().nullish(),
})
export type ModelItem = z.infer<typeof ModelItem>

export const ModelAnswer = z.object({ reviews: z.array(z.unknown()) })
