import { ReceiverError } from './receiver-error.ts'

/** Headers of any framework: `Headers` of fetch, or a record with names in any case. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header. Throws `missing_header`. */
export function requiredHeader(headers: RequestHeaders, name: string): string {
  const value = headerOf(headers, name)
  if (value !== null && value !== '') return value
  throw new ReceiverError('missing_header', `The header ${name} is missing.`)
}

function headerOf(headers: RequestHeaders, name: string): string | null {
  if (isFetchHeaders(headers)) return headers.get(name)
  // Node has lowercase names; some gateways keep the case of the sender.
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

function isFetchHeaders(headers: RequestHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}
