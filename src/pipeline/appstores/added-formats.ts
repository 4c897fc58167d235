import { z } from 'zod'
import { APP_NODE, ROW } from './google/known-formats.ts'
import { at } from './google/shape.ts'

/**
 * What an operator adds to the known formats of the stores, without a release (docs/stores.md, Added formats). Each entry is a candidate after
 * the built-in ones, which known-formats.ts of each store lists: it is used only when those before it do not work.
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

export const addedFormats = z.strictObject({
  apple: z.strictObject({ feed_addresses: z.array(address).max(16) }).optional(),
  google: z
    .strictObject({
      review_rows: z.array(positionsOf(ROW)).max(8).optional(),
      app_data: z.array(positionsOf(APP_NODE)).max(8).optional(),
    })
    .optional(),
})
export type AddedFormats = z.infer<typeof addedFormats>

type Position = readonly (number | string)[]
type Positions = Readonly<Record<string, Position | undefined>>
/** Positions that an operator added for a part of an answer, such as a row of reviews. */
export type AddedPositions = readonly Positions[]

/**
 * What `read` finds in an answer as it is. If that is unreadable, the first readable one with the fields of a candidate at the known positions,
 * which `place` puts there. Trying costs no request, so nothing is remembered.
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
