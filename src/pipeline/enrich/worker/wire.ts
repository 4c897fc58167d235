import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames } from '../../../model/review.ts'
import type { Storefront } from '../../../model/vocabulary.ts'

/** What the two threads tell each other. */

/** A review as engines in the worker see it: no author, at most `INPUT_CHARS_MAX` characters each of title and body. */
export type EngineInput = {
  readonly title: string | null
  readonly body: string
  /** 1 to 5. */
  readonly rating: number
  /** Null for reviews that are shown in no one storefront. */
  readonly storefront: Storefront | null
  /** Null until a store told them. */
  readonly app: AppNames | null
}

/** Characters of a title or a body that go to the worker. Engines read 4,000 at most; what is not read need not be copied. */
export const INPUT_CHARS_MAX = 4_000

/**
 * What a module that holds an engine exports as `createEngine`. It may take seconds and may load more of itself later, as
 * long as one review stays within its budget.
 */
export type CreateEngine = () => Engine | Promise<Engine>
export type Engine = (input: EngineInput) => Enrichment | Promise<Enrichment>

export type WorkerOptions = {
  /** URL of the module with the engine. */
  readonly engine: string
}

export type Order = { readonly id: number; readonly input: EngineInput }
/** `end`: finish the review in hand, read no more, and end the thread. */
export type ToWorker = readonly Order[] | 'end'

export type FromWorker =
  | { readonly kind: 'ready' }
  /** One message a review: what was read is not lost when the next one kills the thread. */
  | { readonly kind: 'read'; readonly id: number; readonly enrichment: Enrichment }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
