import { randomBytes } from 'node:crypto'
import { hashOf } from '../../../model/canonical.ts'
import type { Enrichment, EnrichmentEngine } from '../../../model/enrichment.ts'
import type { EnrichmentFallback } from '../../../model/enrichment-failure.ts'
import type { Review, ReviewOfApp } from '../../../model/review.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Instant } from '../../../runtime/instant.ts'
import type { Log } from '../../../runtime/log.ts'
import type { EnrichResult, ReviewToRead } from '../enricher.ts'
import { batchesOf, hasLetters } from './batches.ts'
import type { ChatDeps } from './chat.ts'
import { crossCheck } from './cross-check.ts'
import { type BatchItem, type BatchOutcome, createBatchLabeler } from './label-batch.ts'
import type { ModelBreaker } from './model-breaker.ts'
import { PROMPT_VERSION } from './prompt.ts'
import { redact } from './redact.ts'

/** Batches in parallel. Local servers process one at a time; hosted ones have a rate limit per minute. */
const CONCURRENCY = 3
/**
 * An occurrence waits a minute at most for its enrichment. After the deadline the offline rules replace missing
 * answers.
 */
const DEADLINE_MS = 45_000
/** The share of the day's requests for reviews that no event waits for, so that an import leaves requests for new reviews. */
const UNAWAITED_SHARE = 0.5
/** Known slugs of an app in the prompt, most used first. */
const KNOWN_SLUGS_MAX = 40

export type ModelEngineDeps = ChatDeps & {
  /** Never rejects because of a review's content. */
  readonly offline: (reviews: readonly ReviewOfApp[], signal: AbortSignal) => Promise<readonly EnrichResult[]>
  readonly clock: Clock
  readonly log: Log
  readonly cached: (contentKeys: readonly string[]) => Promise<ReadonlyMap<string, Enrichment>>
  readonly cache: (contentKey: string, enrichment: Enrichment, now: Instant) => Promise<void>
  /** False when this would exceed the day's limit. */
  readonly spend: (day: string, requests: number, limit: number) => Promise<boolean>
  readonly knownSlugs: (store: Review['store'], appId: string, limit: number) => Promise<readonly string[]>
  readonly countFallback: (reason: EnrichmentFallback) => void
  readonly breaker: ModelBreaker
}

export type ModelEngineSettings = {
  /** Requests a day; null for no limit. */
  readonly dailyLimit: number | null
  readonly deadlineMs?: number
}

/**
 * Enrichment by a language model, with the offline engine as fallback. Every review gets an answer, in the order of the
 * input. Never rejects because of the server.
 */
export function createModelEngine(
  deps: ModelEngineDeps,
  settings: ModelEngineSettings,
): (reviews: readonly ReviewToRead[], signal: AbortSignal) => Promise<EnrichResult[]> {
  const engine: EnrichmentEngine = { name: 'llm', version: `${deps.model}/${PROMPT_VERSION}` }
  const { breaker } = deps
  const requestLabels = createBatchLabeler(deps)

  return async (reviews, signal) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(settings.deadlineMs ?? DEADLINE_MS)])
    const keys = reviews.map((review) => contentKeyOf(review, deps.model))
    const cached = await deps.cached(keys)
    const answers: EnrichResult[] = keys.map((key) => {
      const enrichment = cached.get(key)
      return enrichment === undefined ? null : { enrichment, engine }
    })
    // Not aborted by the deadline, which leaves time for the offline rules.
    const enrichOffline = async (review: ReviewOfApp) => (await deps.offline([review], signal))[0] ?? null
    const fallBack = async (at: number, reason: EnrichmentFallback) => {
      const review = reviews[at]
      if (review === undefined) return
      deps.countFallback(reason)
      answers[at] = await enrichOffline(review)
    }

    const open: BatchItem[] = []
    const tooShort: number[] = []
    for (const [at, review] of reviews.entries()) {
      if (answers[at] !== null) continue
      const title = redact(review.title ?? '')
      const text = redact(review.body)
      const item = { id: randomBytes(6).toString('hex'), stars: review.rating, title, text }
      if (hasLetters(title + text)) open.push({ at, review, item })
      else tooShort.push(at)
    }
    await Promise.all(tooShort.map((at) => fallBack(at, 'too_short')))

    const labelBatch = async (batch: readonly BatchItem[]): Promise<void> => {
      const fallBackAll = async (reason: EnrichmentFallback) => {
        await Promise.all(batch.map(({ at }) => fallBack(at, reason)))
      }
      if (!breaker.mayRequest(deps.clock.monotonicMs())) return fallBackAll('breaker_open')
      const first = batch[0]
      if (first === undefined) return
      const slugs = await deps.knownSlugs(first.review.store, first.review.appId, KNOWN_SLUGS_MAX)
      const app = { names: first.review.app, knownSlugs: slugs }
      const share = isAwaited(first) ? 1 : UNAWAITED_SHARE
      const outcome = await requestLabels(batch, app, (requests) => mayRequest(requests, share), deadline)
      if (outcome.problem === null) breaker.succeeded()
      else if (isServerFailure(outcome)) breaker.failed(deps.clock.monotonicMs())
      for (const { at, review, item } of batch) {
        const modelAnswer = outcome.accepted.get(item.id)
        if (modelAnswer === undefined) {
          await fallBack(at, deadline.aborted ? 'deadline' : (outcome.problem ?? 'invalid_answer'))
          continue
        }
        const offlineAnswer = await enrichOffline(review)
        if (offlineAnswer === null || offlineAnswer.enrichment === null) {
          // A review may be crafted to crash the offline rules, so the model's answer alone is not trusted.
          answers[at] = offlineAnswer
          continue
        }
        const opinion = crossCheck(modelAnswer, offlineAnswer.enrichment, review)
        if (opinion === null) {
          deps.countFallback('disagreement')
          answers[at] = offlineAnswer
          continue
        }
        answers[at] = { enrichment: opinion, engine }
        await deps.cache(keys[at] ?? '', opinion, deps.clock.now())
      }
    }
    const mayRequest = async (requests: number, share: number): Promise<boolean> => {
      if (settings.dailyLimit === null) return true
      const limit = Math.floor(settings.dailyLimit * share)
      return deps.spend(deps.clock.now().toISOString().slice(0, 10), requests, limit)
    }

    await forEachConcurrently(batchesByApp(open), CONCURRENCY, labelBatch)
    return answers
  }
}

const COUNTS_AS_FAILURE: ReadonlySet<EnrichmentFallback> = new Set([
  'unreachable',
  'timeout',
  'rate_limited',
  'unauthorized',
  'server_error',
  'unreadable',
  'cut_off',
])

/** Also true for an answer without any valid entry after the repair: such a server is broken despite its 200. */
function isServerFailure({ accepted, problem }: BatchOutcome): boolean {
  if (problem === 'invalid_answer') return accepted.size === 0
  return problem !== null && COUNTS_AS_FAILURE.has(problem)
}

/**
 * The cache key of an answer: text, stars, prompt and model. An identical text is requested once for all hooks and
 * accounts. It is also shared by all apps, unless it names the app or its developer, because those are not competitors.
 */
export function contentKeyOf(review: ReviewOfApp, model: string): string {
  const normal = (text: string) => text.normalize('NFC')
  return hashOf([
    'enrich',
    normal(review.title ?? ''),
    normal(review.body),
    String(review.rating),
    PROMPT_VERSION,
    model,
    ...ownNamesIn(review),
  ])
}

/** The names of the app and its developer, when the text contains a word of one. */
function ownNamesIn({ app, title, body }: ReviewOfApp): string[] {
  const text = `${title ?? ''} ${body}`.toLowerCase()
  const names = [app?.name, app?.developer].flatMap((name) => name ?? [])
  const words = names.flatMap((name) => name.toLowerCase().match(/[\p{L}\p{M}\p{N}]{3,}/gu) ?? [])
  return words.some((word) => text.includes(word)) ? names : []
}

function isAwaited({ review }: BatchItem): boolean {
  return review.isAwaited !== false
}

/** Batches with reviews of one app, because known slugs belong to an app, and all or none of them awaited. */
function batchesByApp(open: readonly BatchItem[]): BatchItem[][] {
  const apps = Map.groupBy(open, (item) => `${item.review.store}/${item.review.appId}/${isAwaited(item)}`)
  return [...apps.values()].flatMap((entries) => batchesOf(entries, ({ item }) => item.text.length))
}

async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
