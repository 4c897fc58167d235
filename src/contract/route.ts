import type { z } from 'zod'
import type { TokenScope } from '../model/vocabulary.ts'

/** The API's version is in its paths (docs/contract.md, Versions). */
export const API_PREFIX = '/api/v1'

/** Largest request body in bytes. A subscribe body with every field at its limit takes less than 5 KiB. */
export const BODY_BYTES_MAX = 64 * 1024

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** Groups of operations, in the order of the reference. */
export const TAGS = {
  Hooks: 'Callback URLs and their subscriptions.',
  Events: 'The same events, pulled instead of pushed.',
  Reviews: 'Reviews of the apps that the account tracks.',
  Apps: 'Apps and storefronts, and their ratings.',
  Statistics: 'Figures about reviews over time.',
  Deliveries: 'Deliveries, dead letters and replays.',
  Account: 'The token and its account.',
} as const
export type Tag = keyof typeof TAGS

/** A download instead of one JSON value: rows in one of these formats. */
export const TABLE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const

/** One operation, used by the server, the reference and the client. */
export type Route = {
  readonly method: Method
  /** The path below `/api/v1`. Each `{name}` is a field of `params`. */
  readonly path: string
  readonly tag: Tag
  /** A token needs one of these scopes; if the list is empty, any token is enough. */
  readonly scopes: readonly TokenScope[]
  /** The console's session may call it: only owners, or none; every member by default. */
  readonly session?: 'owner' | 'none'
  readonly summary: string
  readonly description: string
  /** The answer to invalid values is 404 with the schema's message. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Of the request; `BODY_BYTES_MAX` by default. */
  readonly bodyBytesMax?: number
  /** The body has rows in one of `TABLE_TYPES`, each with this schema. */
  readonly rows?: {
    readonly schema: z.ZodType
    /** Columns that have numbers in CSV. */
    readonly numbers: readonly string[]
    readonly max: number
    readonly bytesMax: number
  }
  /** Accepts the header `Idempotency-Key`. */
  readonly idempotent?: true
  /** Sends an `ETag`, and answers 304 to an `If-None-Match` with it. */
  readonly etag?: true
  readonly success: {
    readonly status: 200 | 204
    readonly description: string
    readonly schema?: z.ZodType
    /** Rows instead of JSON; `schema` describes one row of JSON Lines. */
    readonly rows?: true
  }
  /** Errors other than 401, 403, 405, 429, 500 and 503, which every operation may return. */
  readonly errors: Readonly<Record<number, string>>
}
