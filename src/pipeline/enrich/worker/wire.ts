import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames } from '../../../model/review.ts'
import type { Storefront } from '../../../model/vocabulary.ts'

/** Messages between the main thread and the worker. */

/** A review as sent to the worker: no author, at most `INPUT_CHARS_MAX` characters each of title and body. */
export type EngineInput = {
  readonly title: string | null
  readonly body: string
  /** 1 to 5. */
  readonly rating: number
  /** Null for reviews without a single storefront. */
  readonly storefront: Storefront | null
  /** Null until a store's answer contains them. */
  readonly app: AppNames | null
}

/** The most characters of a title or body to send to the worker. Engines read at most 4,000. */
export const INPUT_CHARS_MAX = 4_000

/**
 * The `createEngine` export of an engine's module. It may take seconds. It may load data later if each review stays
 * within its time limit.
 */
export type CreateEngine = () => Engine | Promise<Engine>
export type Engine = (input: EngineInput) => Enrichment | Promise<Enrichment>

export type WorkerOptions = {
  /** URL of the module with the engine. */
  readonly engine: string
}

export type EnrichRequest = { readonly id: number; readonly input: EngineInput }
/** `end`: finish the review in progress, then end the thread. */
export type ToWorker = readonly EnrichRequest[] | 'end'

export type FromWorker =
  | { readonly kind: 'ready' }
  /** One message per review: finished reviews are not lost when the next one crashes the thread. */
  | { readonly kind: 'enriched'; readonly id: number; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
