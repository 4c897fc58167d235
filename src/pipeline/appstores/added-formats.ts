import { createHash } from 'node:crypto'
import { z } from 'zod'
import { APP_NODE, type ReviewRequest, ROW } from './google/known-formats.ts'
import { at } from './google/shape.ts'

/**
 * What an operator adds to the known formats of the stores, without a release (docs/stores.md, Added formats). Each entry is a candidate
 * after the built-in ones, which known-formats.ts of each store lists: it is used only when those before it do not work.
 */

/** A path and query: requests always go to the store. */
const address = z
  .string()
  .max(300)
  .regex(/^\/[\w/={}?&.%-]*$/)
  .refine((text) => /\{id\}/.test(text) && /\{form\}/.test(text))
  .refine((text) => [...text.matchAll(/\{(\w*)\}/g)].every(([, name]) => PLACES.includes(name ?? '')))
const PLACES = ['storefront', 'page', 'id', 'form']

const position = z
  .array(z.union([z.int().min(0).max(9_999), z.string().regex(/^\d{1,9}$/)]))
  .min(1)
  .max(9)

/** Positions to change; the others are as built in. */
function positionsOf<Name extends string>(known: Readonly<Record<Name, unknown>>) {
  const names = Object.keys(known) as Name[]
  return z.partialRecord(z.enum(names), position)
}

/** The request of a call, with the texts `{app_id}`, `{token}` and `{rows}` where these values belong. */
const request = z.json().refine((value) => {
  const text = JSON.stringify(value)
  return (
    text.length <= REQUEST_CHARS_MAX && ['"{app_id}"', '"{token}"'].every((place) => text.includes(place))
  )
})
const REQUEST_CHARS_MAX = 2_000

export const addedFormats = z.strictObject({
  apple: z
    .strictObject({
      feed_addresses: z.array(address).max(16).optional(),
      row_sorts: z.array(z.int().min(0).max(99)).max(8).optional(),
      page_kinds: z
        .array(z.string().regex(/^\w{1,40}$/))
        .max(16)
        .optional(),
    })
    .optional(),
  google: z
    .strictObject({
      review_requests: z
        .array(z.strictObject({ rpc_id: z.string().regex(/^[A-Za-z0-9]{1,20}$/), request }))
        .max(8)
        .optional(),
      review_rows: z.array(positionsOf(ROW)).max(8).optional(),
      app_data: z.array(positionsOf(APP_NODE)).max(8).optional(),
    })
    .optional(),
})
export type AddedFormats = z.infer<typeof addedFormats>

/**
 * The calls that an operator added. Each is a source of its own, with a name that no built-in one has. It depends on the call alone: what
 * is known of a source, and where paging goes on, stays with it when the file gets another order.
 */
export function addedRequests(
  added: NonNullable<AddedFormats['google']>['review_requests'] = [],
): ReviewRequest[] {
  return added.map(({ rpc_id, request }) => ({
    source: `${rpc_id}_${createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 8)}`,
    rpcId: rpc_id,
    request: (appId, token, rows) => filled(request, { '{app_id}': appId, '{token}': token, '{rows}': rows }),
  }))
}

function filled(part: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof part === 'string') return Object.hasOwn(values, part) ? values[part] : part
  if (Array.isArray(part)) return part.map((item) => filled(item, values))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, filled(value, values)]))
}

type Position = readonly (number | string)[]
type Positions = Readonly<Record<string, Position | undefined>>
/** Positions that an operator added for a part of an answer, such as a row of reviews. */
export type AddedPositions = readonly Positions[]

/**
 * What `read` finds in an answer as it is. If that is unreadable, the first readable one with the fields of a candidate at the known
 * positions, which `place` puts there. Trying costs no request, so nothing is remembered.
 */
export function firstReadable<Read extends { readonly kind: string }>(
  known: Positions,
  added: AddedPositions,
  read: (place: (part: unknown) => unknown) => Read,
): Read {
  const first = read((part) => part)
  if (first.kind !== 'unreadable') return first
  const others = added.values().map((positions) => read((part) => placed(part, known, positions)))
  return others.find(({ kind }) => kind !== 'unreadable') ?? first
}

function placed(part: unknown, known: Positions, positions: Positions): unknown {
  const copy = structuredClone(part)
  for (const [name, from = []] of Object.entries(positions)) put(copy, known[name] ?? [], at(part, ...from))
  return copy
}

function put(part: unknown, [step, ...rest]: Position, value: unknown): void {
  if (step === undefined || typeof part !== 'object' || part === null) return
  const fields = part as Record<number | string, unknown>
  if (rest.length === 0) fields[step] = value
  else {
    if (typeof fields[step] !== 'object' || fields[step] === null) fields[step] = []
    put(fields[step], rest, value)
  }
}
