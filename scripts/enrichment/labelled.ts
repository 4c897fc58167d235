import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'

const LABELLED = z.object({
  id: z.string(),
  country: z.enum(STOREFRONTS).nullable().optional(),
  rating: z.number().int().min(1).max(5).nullable(),
  title: z.string().nullable(),
  body: z.string(),
  labels: z.object({
    language: z.string(),
    sentiment: z.enum(SENTIMENTS),
    themes: z.array(z.enum(THEMES)),
    is_feature_request: z.boolean(),
    feature_key: z.string().nullable(),
    is_bug_report: z.boolean(),
    severity: z.enum(SEVERITIES),
    mentions_competitor: z.boolean(),
    competitor_named: z.string().nullable(),
  }),
})

/** A review with what a person read in it. `feature_key` is the same for the same feature in every language. */
export type Labelled = z.infer<typeof LABELLED>

/** Reads a labelled set, one JSON object a line. Throws with file and line when a line is not of that shape. */
export function readLabelled(path: string): Labelled[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const parsed = LABELLED.safeParse(JSON.parse(line))
      if (!parsed.success) throw new Error(`${path}:${index + 1}: ${z.prettifyError(parsed.error)}`)
      return [parsed.data]
    })
}
