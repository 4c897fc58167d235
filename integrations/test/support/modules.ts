import { createRequire } from 'node:module'
import { join } from 'node:path'
import { INTEGRATIONS } from './files.ts'

/**
 * Modules of the packages that need none of their dependencies. They are outside the TypeScript project, so their types are stated here.
 */

const load = createRequire(join(INTEGRATIONS, 'index.js'))

type Option = { readonly name: string; readonly value: string }
type Labels = Readonly<Record<string, string>>
type Functions = Readonly<Record<string, (...values: unknown[]) => unknown>>

export const n8nVocabulary = load('./n8n/nodes/ReviewRadar/vocabulary.ts') as Readonly<
  Record<'STOREFRONTS' | 'SENTIMENTS' | 'SEVERITIES' | 'THEMES' | 'STARS', readonly Option[]>
>

export const n8nSignature = load('./n8n/nodes/ReviewRadar/signature.ts') as {
  readonly signatureProblem: (request: object, secrets: readonly string[], nowMs: number) => string | null
}

export const zapierApps = load('./zapier/lib/apps.js') as { readonly COUNTRIES: Labels }

export const zapierFilters = load('./zapier/lib/review-filters.js') as Readonly<
  Record<'SENTIMENTS' | 'SEVERITIES' | 'THEMES', Labels>
> & { readonly reviewFilterFields: readonly { readonly key: string }[] }

export const zapierSignature = load('./zapier/lib/signature.js') as {
  readonly isSigned: (request: object, secret: string, nowMs: number) => boolean
}

export type PipedreamSource = {
  readonly props: Readonly<
    Record<string, { readonly options?: unknown; readonly default?: unknown; readonly optional?: boolean }>
  >
  readonly hooks: Functions
  readonly methods: Functions
  readonly run: (this: unknown, request: unknown) => Promise<void>
  readonly sampleEmit: unknown
}

export const { default: pipedreamSource } = load('./pipedream/review-radar-events.mjs') as {
  readonly default: PipedreamSource
}
