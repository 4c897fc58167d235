import { ACCOUNT_HEADER, ACCOUNT_QUERY } from '../../src/contract/console/account-header.ts'
import { requestTexts } from '../messages/common.ts'
import { basePath } from '../util/base-path.ts'

/** All requests of the console to the service. */

/** A failed request. The message for users is the service's, or says that the service is unreachable. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  /** HTTP status, or 0 without a response. */
  readonly status: number
  /** The problem of each invalid field. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>

/** Base path + `/api` + path + query; absent values are left out. */
export function apiUrl(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return `${basePath}/api${path}${text === '' ? '' : `?${text}`}`
}

/** The account that the pages show. The service refuses requests for another one, which the session may have entered in another tab. */
let account: string | null = null

/** The address of a download: a link has no headers, so that the query names the account of the page. */
export function downloadUrl(path: string, query: Query = {}): string {
  return apiUrl(path, { ...query, [ACCOUNT_QUERY]: account })
}

/** Returns whether they showed another one before. */
export function changesAreOf(shown: string | null): boolean {
  const isOther = account !== null && shown !== null && account !== shown
  account = shown
  return isOther
}

/** The response's JSON, or undefined if empty. Throws `RequestFailed` unless the status is 2xx. */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: { readonly query?: Query; readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const response = await fetch(apiUrl(path, options.query), {
    method,
    credentials: 'same-origin',
    headers: {
      // Other origins cannot set this header without CORS: the service requires it on every change. A GET goes without
      // it, because the browser reuses a preloaded answer only for a request with the same headers.
      ...(method === 'GET' ? {} : { 'x-radar-console': '1' }),
      // Null until the session is known, so the preloaded requests have no other headers.
      ...(account === null ? {} : { [ACCOUNT_HEADER]: account }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new RequestFailed(0, requestTexts.unreachable)
  })
  const text = await response.text()
  if (!response.ok) throw failureOf(text, response.status)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

type FailureBody = { readonly error?: unknown; readonly message?: unknown; readonly fields?: unknown }

function failureOf(text: string, status: number): RequestFailed {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) {
      const { error, message, fields }: FailureBody = body
      const sentence = error ?? message
      if (typeof sentence === 'string') return new RequestFailed(status, sentence, problemsOf(fields))
    }
  } catch {
    // Not JSON: a proxy answered.
  }
  return new RequestFailed(status, requestTexts.httpStatus(status))
}

function problemsOf(fields: unknown): Readonly<Record<string, string>> {
  if (typeof fields !== 'object' || fields === null) return {}
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
