import type { Pace, StoreFailure } from '../appstore.ts'
import { readRpcAnswer, rpcBody } from './batchexecute.ts'
import { type RequestDeps, sendRequest, unreadable } from './request.ts'

/**
 * Play throttles its rpc with status 200 and an empty frame, and recovers within minutes (reported 2026). This is the
 * shortest reported time.
 */
const NULL_PAYLOAD_WAIT_MS = 60_000

export type RpcAnswer =
  | { readonly kind: 'payload'; readonly payload: unknown; readonly text: string }
  /** Status 200 without data. `gatewayError`: Play says that it failed itself. */
  | { readonly kind: 'null'; readonly failure: StoreFailure; readonly gatewayError: boolean }
  | { readonly kind: 'failed'; readonly failure: StoreFailure }

/** One rpc call. `market` is the language; `country` has no effect. */
export async function callRpc(
  deps: RequestDeps,
  call: {
    /** The `source` of failures. */
    readonly source: string
    readonly rpcId: string
    readonly request: unknown
    readonly market: string
    readonly country: string
  },
  pace: Pace,
  signal: AbortSignal,
): Promise<RpcAnswer> {
  const { source, rpcId, market, country } = call
  const query = new URLSearchParams({ rpcids: rpcId, hl: market, gl: country })
  const response = await sendRequest(
    deps,
    source,
    {
      method: 'POST',
      path: `/_/PlayStoreUi/data/batchexecute?${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: rpcBody(rpcId, call.request),
    },
    pace,
    signal,
  )
  if (response.kind === 'failed') return { kind: 'failed', failure: response.failure }
  if (response.kind === 'not_found') {
    const reason = 'the rpc URL returns status 404'
    return { kind: 'failed', failure: unreadable(source, reason, '') }
  }
  const answer = readRpcAnswer(response.text, rpcId)
  if (answer.kind === 'unreadable') {
    return { kind: 'failed', failure: unreadable(source, answer.reason, response.text) }
  }
  if (answer.kind === 'null') {
    const error = answer.error === null ? '' : ` (${answer.error})`
    const failure: StoreFailure = {
      kind: 'unknown',
      source,
      detail: `Google Play answered without data${error}: the client is throttled, or the request is invalid.`,
      retryAfterMs: NULL_PAYLOAD_WAIT_MS,
    }
    return { kind: 'null', failure, gatewayError: /PlayGatewayError/.test(error) }
  }
  return { kind: 'payload', payload: answer.payload, text: response.text }
}
