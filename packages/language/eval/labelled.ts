import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../../src/model/vocabulary.ts'
import type { EnrichInput } from '../src/engine.ts'

const LABELLED = z.object({
  id: z.string().min(1),
  store: z.enum(['app_store', 'google_play']).optional(),
  country: z
    .string()
    .transform((country) => STOREFRONTS.find((known) => known === country.toLowerCase()) ?? null),
  app_name: z.string().nullable().optional(),
  rating: z.int().min(1).max(5),
  title: z.string(),
  body: z.string(),
  /** The language models that labelled it were not sure. */
  doubt: z.boolean().optional(),
  labels: z.object({
    language: z.string(),
    sentiment: z.enum(SENTIMENTS),
    themes: z.array(z.enum(THEMES)).min(1),
    is_feature_request: z.boolean(),
    feature_key: z.string().nullable(),
    is_bug_report: z.boolean(),
    severity: z.enum(SEVERITIES),
    mentions_competitor: z.boolean(),
    competitor_named: z.string().nullable(),
  }),
})

/** A review with its labels. `country` is null for an unsupported storefront. */
export type Labelled = z.infer<typeof LABELLED>

/** The reviews of a JSON Lines file, in order. Throws with the line number of an invalid review. */
export function readLabelled(path: string): Labelled[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const read = LABELLED.safeParse(JSON.parse(line))
    if (!read.success) throw new Error(`${path}:${index + 1}: ${z.prettifyError(read.error)}`)
    return [read.data]
  })
}

/** The engine's input for a review. */
export function inputOf(review: Labelled, stars: boolean): EnrichInput {
  const { title, body, rating, country, app_name = null } = review
  const app = app_name === null ? null : { name: app_name, developer: null }
  return { title, body, rating: stars ? rating : null, storefront: country, app }
}
