import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames } from '../../../model/review.ts'
import type { Storefront } from '../../../model/vocabulary.ts'

/** Messages between the two threads. */

/** A review as sent to the worker: no author, at most `INPUT_CHARS_MAX` characters each of title and body. */
export type EngineInput = {
  readonly title: string | null
  readonly body: string
  /** 1 to 5. */
  readonly rating: number
  /** Null for reviews without a single storefront. */
  readonly storefront: Storefront | null
  /** Null until a store's answer has them. */
  readonly app: AppNames | null
}

/** Characters of a title or a body that are sent to the worker. Engines read 4,000 at most. */
export const INPUT_CHARS_MAX = 4_000

/**
 * The `createEngine` export of an engine's module. It may take seconds, and may load more later, as long as each review
 * stays within its time limit.
 */
export type CreateEngine = () => Engine | Promise<Engine>
export type Engine = (input: EngineInput) => Enrichment | Promise<Enrichment>

export type WorkerOptions = {
  /** URL of the module with the engine. */
  readonly engine: string
}

export type Order = { readonly id: number; readonly input: EngineInput }
/** `end`: finish the review in progress, start no other, and end the thread. */
export type ToWorker = readonly Order[] | 'end'

export type FromWorker =
  | { readonly kind: 'ready' }
  /** One message per review: finished reviews are not lost when the next one crashes the thread. */
  | { readonly kind: 'read'; readonly id: number; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
