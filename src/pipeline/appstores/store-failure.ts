import { retryAfterMs as retryAfterMsOf } from '../../runtime/retry-after.ts'
import { STORE_RETRY_AFTER_MS_MAX, type StoreFailure } from './appstore.ts'

type More = { readonly [Field in 'retryAfterMs' | 'raw' | 'unordered']?: StoreFailure[Field] | undefined }

/** A failure without the fields that are undefined. */
export function storeFailure(
  kind: StoreFailure['kind'],
  source: string,
  detail: string,
  { retryAfterMs, raw, unordered }: More = {},
): StoreFailure {
  return {
    kind,
    source,
    detail,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(raw === undefined ? {} : { raw }),
    ...(unordered === undefined ? {} : { unordered }),
  }
}

/** The wait that an answer asks for. */
export function waitOf({ headers }: { readonly headers: Readonly<Record<string, string>> }): More {
  const wait = { maxMs: STORE_RETRY_AFTER_MS_MAX, now: null }
  return { retryAfterMs: retryAfterMsOf(headers, wait) ?? undefined }
}
