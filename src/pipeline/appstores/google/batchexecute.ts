import { type JsonParser, jsonParser } from '../bounded-json.ts'
import { jsonText } from '../review-page-rows.ts'
import { at, jsonEnd, parseJson } from './shape.ts'

/**
 * Google's rpc framing. One POST has calls by rpc id. The answer is `)]}'`, then frames `["wrb.fr", <rpc id>, "<payload
 * as JSON text>", …]`: in one array, or in chunks that each start with their length.
 */

export type RpcAnswer =
  | { readonly kind: 'payload'; readonly payload: unknown }
  /** The frame has no payload: the client is throttled, or the request is invalid. */
  | { readonly kind: 'null'; readonly error: string | null }
  /** Not this framing, no frame of the rpc in it, or a payload that is not JSON. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/** The form body of a call. No token, cookie or session id is needed. */
export function rpcBody(rpcId: string, request: unknown): string {
  const calls = [[[rpcId, JSON.stringify(request), null, 'generic']]]
  return new URLSearchParams({ 'f.req': JSON.stringify(calls) }).toString()
}

export function readRpcAnswer(text: string, rpcId: string): RpcAnswer {
  // The prefix occurs with and without a line break after it (2021, 2026), so its length varies.
  const prefix = /^\s*\)\]\}'/.exec(text)
  if (prefix === null) return { kind: 'unreadable', reason: 'the answer is not in the rpc framing' }
  const parse = jsonParser()
  const frames = framesOf(text.slice(prefix[0].length), parse)
  if (frames === null) return { kind: 'unreadable', reason: 'the frames of the answer are not JSON' }
  const frame = frames.find((one) => at(one, 0) === 'wrb.fr' && at(one, 1) === rpcId)
  if (frame === undefined) {
    const failed = frames.find((one) => at(one, 0) === 'er')
    if (failed !== undefined) return { kind: 'null', error: errorOf(failed) }
    return { kind: 'unreadable', reason: `the answer has no frame of ${rpcId}` }
  }
  const payload = at(frame, 2)
  if (payload === null || payload === undefined) return { kind: 'null', error: errorOf(at(frame, 5)) }
  const parsed = typeof payload === 'string' ? parseJson(payload, parse) : undefined
  if (parsed === undefined) return { kind: 'unreadable', reason: `the payload of ${rpcId} is not JSON text` }
  if (parsed === null) return { kind: 'null', error: errorOf(at(frame, 5)) }
  return { kind: 'payload', payload: parsed }
}

/** A call has one frame, and two or three beside it. */
const CHUNKS_MAX = 1_000

function framesOf(text: string, parse: JsonParser): readonly unknown[] | null {
  const whole = parseJson(text, jsonParser())
  if (Array.isArray(whole)) return whole
  const frames: unknown[] = []
  let index = 0
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks += 1) {
    // A chunk is its length, a line break, and JSON. Some answers count bytes and others characters, so the end of the
    // JSON decides.
    const head = /^\s*(?:\d+\s*\n\s*)?/.exec(text.slice(index, index + 64))
    index += head?.[0].length ?? 0
    if (index >= text.length) return frames.length === 0 ? null : frames
    const end = jsonEnd(text, index)
    if (end === null) return null
    const chunk = parseJson(text.slice(index, end), parse)
    if (!Array.isArray(chunk)) return null
    // Not `push(...chunk)`: a chunk can have more frames than a call can take arguments.
    for (const frame of chunk as readonly unknown[]) frames.push(frame)
    index = end
  }
  return null
}

/** The text of an error slot, such as `[3]` or `[5,null,[["…PlayGatewayError",[1]]]]`. */
function errorOf(slot: unknown): string | null {
  return slot === null || slot === undefined ? null : jsonText(slot).slice(0, 300)
}
