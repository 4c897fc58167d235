import assert from 'node:assert/strict'
import type { Enrichment } from '../../src/model/enrichment.ts'
import type { EnrichmentFallback } from '../../src/model/enrichment-failure.ts'
import type { ReviewOfApp } from '../../src/model/review.ts'
import type { Enriched, ReviewToRead } from '../../src/pipeline/enrich/enricher.ts'
import { createModelBreaker } from '../../src/pipeline/enrich/llm/model-breaker.ts'
import { createModelEngine } from '../../src/pipeline/enrich/llm/model-engine.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { type Behaviour, type ModelServer, startModelServer } from './model-server.ts'

/** The result of the offline engine in these tests. */
export const OFFLINE: Enrichment = {
  language: 'en',
  sentiment: 'neutral',
  themes: ['other'],
  is_feature_request: false,
  feature_slug: null,
  feature_phrase: null,
  is_bug_report: false,
  severity: 'low',
  mentions_competitor: false,
  competitor_named: null,
  other_topic: 'offline',
  summary_en: 'Said by the rules.',
}

let made = 0
/** A unique review. */
export function review(body: string, change: Partial<ReviewOfApp> = {}): ReviewOfApp {
  made += 1
  return {
    reviewId: `r${made}`,
    rating: 1,
    title: null,
    body,
    author: 'Somebody Private',
    appVersion: null,
    shownAt: new Date(0),
    edited: null,
    store: 'apple',
    appId: '1',
    market: 'us',
    fingerprint: `f${made}`,
    contentHash: `c${made}`,
    occurredAt: new Date(0),
    observedAt: new Date(0),
    app: null,
    ...change,
  }
}

/** Runs the model engine against a model server with the given behaviour. */
export async function withModel(
  behave: Behaviour,
  run: (given: {
    enrich: (reviews: readonly ReviewToRead[], signal: AbortSignal) => Promise<Enriched[]>
    server: ModelServer
    fallbacks: EnrichmentFallback[]
  }) => Promise<void>,
  change: {
    dailyLimit?: number
    deadlineMs?: number
    offline?: Enrichment
    slugs?: string[]
    clock?: Clock
  } = {},
): Promise<void> {
  await using server = await startModelServer(behave)
  await using egress = openEgress({ guard: null, userAgent: 'test' })
  const fallbacks: EnrichmentFallback[] = []
  const cache = new Map<string, Enrichment>()
  let spent = 0
  const engine = createModelEngine(
    {
      egress,
      url: server.url,
      model: 'test-model',
      apiKey: 'key-1',
      offline: async (reviews) =>
        reviews.map(() => ({
          enrichment: change.offline ?? OFFLINE,
          engine: { name: 'offline', version: '1' },
        })),
      clock: change.clock ?? systemClock,
      log: silentLog,
      cached: async (keys) => new Map([...cache].filter(([key]) => keys.includes(key))),
      cache: async (key, enrichment) => void cache.set(key, enrichment),
      spend: async (_day, requests, limit) => {
        if (spent + requests > limit) return false
        spent += requests
        return true
      },
      knownSlugs: async () => change.slugs ?? [],
      breaker: createModelBreaker(),
      countFallback: (reason) => fallbacks.push(reason),
    },
    {
      dailyLimit: change.dailyLimit ?? null,
      ...(change.deadlineMs === undefined ? {} : { deadlineMs: change.deadlineMs }),
    },
  )
  const enrich = async (reviews: readonly ReviewToRead[], signal: AbortSignal) =>
    (await engine(reviews, signal)).map((result) => {
      assert.ok(result !== null && result.enrichment !== null)
      return result
    })
  await run({ enrich, server, fallbacks })
}

export const never = new AbortController().signal
export const many = (count: number) =>
  Array.from({ length: count }, () => review(`It crashes when I open page ${made}`))
