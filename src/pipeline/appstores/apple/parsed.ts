import { storableText } from '../../../model/storable-text.ts'

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
