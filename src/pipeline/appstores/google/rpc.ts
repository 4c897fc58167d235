import type { Pace, Trouble } from '../appstore.ts'
import { type AskDeps, ask, unreadable } from './ask.ts'
import { readRpcAnswer, rpcBody } from './batchexecute.ts'

/**
 * Play does not throttle its rpc with a status: it answers 200 with an empty frame, and recovers within minutes
 * (reported 2026). Chosen: the least of that.
 */
const NULL_PAYLOAD_WAIT_MS = 60_000

export type Called =
  | { readonly kind: 'payload'; readonly payload: unknown; readonly text: string }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly nullPayload: boolean }

/** One rpc call. `market` is the language of the pool, `country` only rides along. */
export async function callRpc(
  deps: AskDeps,
  call: {
    readonly rpcId: string
    readonly request: unknown
    readonly market: string
    readonly country: string
  },
  pace: Pace,
  signal: AbortSignal,
): Promise<Called> {
  const { rpcId, market, country } = call
  const query = new URLSearchParams({ rpcids: rpcId, hl: market, gl: country })
  const asked = await ask(
    deps,
    rpcId,
    {
      method: 'POST',
      path: `/_/PlayStoreUi/data/batchexecute?${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: rpcBody(rpcId, call.request),
    },
    pace,
    signal,
  )
  if (asked.kind === 'trouble') return { kind: 'trouble', trouble: asked.trouble, nullPayload: false }
  if (asked.kind === 'not_found') {
    const why = 'its rpc address answers with status 404'
    return { kind: 'trouble', trouble: unreadable(rpcId, why, ''), nullPayload: false }
  }
  const answer = readRpcAnswer(asked.text, rpcId)
  if (answer.kind === 'unreadable') {
    return { kind: 'trouble', trouble: unreadable(rpcId, answer.why, asked.text), nullPayload: false }
  }
  if (answer.kind === 'null') {
    const error = answer.error === null ? '' : ` (${answer.error})`
    const trouble: Trouble = {
      kind: 'unknown',
      source: rpcId,
      detail: `Google Play answered without data${error}: throttled, or the request was not understood.`,
      retryAfterMs: NULL_PAYLOAD_WAIT_MS,
    }
    return { kind: 'trouble', trouble, nullPayload: true }
  }
  return { kind: 'payload', payload: answer.payload, text: asked.text }
}
