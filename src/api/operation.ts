import type { z } from 'zod'
import type { Operation, Routes } from '../contract/routes.ts'

/** What one call of an operation brings, checked by the contract's schemas. */
export type Call<Body = undefined, Query = undefined> = {
  readonly accountId: string
  readonly tokenId: string
  readonly tokenName: string
  /** The path's `{id}`; empty for paths without one. */
  readonly id: string
  readonly body: Body
  readonly query: Query
  /** The header `Idempotency-Key`, on operations that take it; null without it. */
  readonly idempotencyKey: string | null
}

type Infer<T> = T extends z.ZodType ? z.infer<T> : undefined
type BodyOf<O extends Operation> = Routes[O] extends { body: infer B } ? Infer<B> : undefined
type QueryOf<O extends Operation> = Routes[O] extends { query: infer Q } ? Infer<Q> : undefined
type AnswerOf<O extends Operation> = Routes[O]['success'] extends { schema: infer S } ? Infer<S> : undefined

/** One function per operation of the route table; each throws a `Refusal` for what it refuses. */
export type Operations = {
  readonly [O in Operation]: (call: Call<BodyOf<O>, QueryOf<O>>) => Promise<AnswerOf<O>>
}
