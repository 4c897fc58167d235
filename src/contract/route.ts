import type { z } from 'zod'
import type { TokenScope } from '../model/vocabulary.ts'

/** The API's version is in its paths (docs/contract.md, Versions). */
export const API_PREFIX = '/api/v1'

/** Bytes of a request's body; chosen: a subscribe with every field at its limit takes under 5 KiB. */
export const BODY_BYTES_MAX = 64 * 1024

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** What operations belong together, in the order in which the reference shows them. */
export const TAGS = {
  Hooks: 'Callback URLs and what they get.',
  Events: 'The same events, pulled instead of pushed.',
  Reviews: 'Reviews of the apps that the account tracks.',
  Apps: 'Apps and storefronts, and their ratings.',
  Statistics: 'What reviews say over time.',
  Deliveries: 'What was sent, and what could not be.',
  Account: 'The token and its account.',
} as const
export type Tag = keyof typeof TAGS

/** A download instead of one JSON value: rows in one of these formats. */
export const TABLE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const

/** One operation, as the server serves it, the reference shows it and the client calls it. */
export type Route = {
  readonly method: Method
  /** Below `/api/v1`; each `{name}` is a field of `params`. */
  readonly path: string
  readonly tag: Tag
  /** A token needs one of these scopes; with none any token will do. */
  readonly scopes: readonly TokenScope[]
  readonly summary: string
  readonly description: string
  /** Values it does not accept answer 404 with its message. */
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The body is rows in one of `TABLE_TYPES`, each of this schema. */
  readonly rows?: { readonly schema: z.ZodType; readonly max: number; readonly bytesMax: number }
  /** Takes the header `Idempotency-Key`. */
  readonly idempotent?: true
  /** Answers with an `ETag`, and with 304 to an `If-None-Match` that has it. */
  readonly etag?: true
  readonly success: {
    readonly status: 200 | 204
    readonly description: string
    readonly schema?: z.ZodType
    /** Rows instead of JSON; `schema` is that of one row of JSON Lines. */
    readonly rows?: true
  }
  /** What it may refuse besides 401, 403, 405, 429, 500 and 503, which every operation may. */
  readonly refusals: Readonly<Record<number, string>>
}
