import type { Pace, StoreFailure } from '../appstore.ts'
import { HISTORY_RPC } from './known-formats.ts'
import { type RequestDeps, unreadable } from './request.ts'
import { readRows } from './review-rows.ts'
import { countryOf } from './reviews.ts'
import { callRpc } from './rpc.ts'

/** Versions to request; the known histories have two (2021). */
const VERSIONS_MAX = 100

/** When the first version of an edited review was written; null when Play has no history of it. */
export async function firstPublishedAt(
  deps: RequestDeps,
  query: { readonly appId: string; readonly market: string; readonly reviewId: string },
  pace: Pace,
  signal: AbortSignal,
): Promise<Date | null | StoreFailure> {
  const request = [null, null, [4, null, [VERSIONS_MAX]], [query.appId, 7], query.reviewId]
  const call = {
    source: HISTORY_RPC,
    rpcId: HISTORY_RPC,
    request,
    market: query.market,
    country: countryOf(query.market),
  }
  const answer = await callRpc(deps, call, pace, signal)
  if (answer.kind !== 'payload') return answer.failure
  const rows = readRows(answer.payload, deps.added?.review_rows)
  if (rows.kind === 'unreadable') return unreadable(HISTORY_RPC, rows.reason, answer.text)
  // A malformed row may be the first version, so the other versions cannot date the review.
  const [malformed] = rows.malformed
  if (malformed !== undefined) return unreadable(HISTORY_RPC, malformed.reason, answer.text)
  // Versions have the id of their review.
  const times = rows.reviews
    .filter((version) => version.reviewId === query.reviewId)
    .map((version) => version.shownAt.getTime())
  return times.length === 0 ? null : new Date(Math.min(...times))
}
