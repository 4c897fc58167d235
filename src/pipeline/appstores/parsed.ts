import { storableText } from '../../model/storable-text.ts'

/** A parser's result: the value, or a sentence on how the answer differs from the known format. Parsers never throw. */
export type Parsed<T> =
  | { readonly kind: 'parsed'; readonly value: T }
  | { readonly kind: 'changed'; readonly detail: string }

export function parsed<T>(value: T): Parsed<T> {
  return { kind: 'parsed', value }
}

export function changed(detail: string): { readonly kind: 'changed'; readonly detail: string } {
  return { kind: 'changed', detail }
}

/** The value as a JSON object; null for anything else, including arrays. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}

/** Non-empty text in its stored form; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? storableText(value) : null
}

const ISO_WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Requires an offset: Apple's feed writes -07:00 in winter too (recorded 2021-02, 2021-11), so it cannot be derived. */
export function instantOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !ISO_WITH_OFFSET.test(value)) return null
  const instant = new Date(value)
  return Number.isNaN(instant.getTime()) ? null : instant
}
