import type { Pace } from '../../src/pipeline/appstores/appstore.ts'
import type { Egress, EgressAnswer, EgressRequest } from '../../src/runtime/egress/egress.ts'

/** An egress that returns scripted answers in order and records the requests. */

/** An answer, or a closed connection. */
export type Script = 'reset' | ScriptedAnswer

export type ScriptedAnswer = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly truncated?: boolean
}

const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 1, totalMs: 1 }

export function scriptedEgress(...script: Script[]) {
  const requests: EgressRequest[] = []
  const remaining = [...script]
  const egress: Egress = {
    request: (request) => {
      requests.push(request)
      const next = remaining.shift()
      if (next === undefined)
        throw new Error(`The script has no answer for ${request.method} ${request.url}.`)
      return Promise.resolve(answerOf(next))
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  return { egress, requests, left: () => remaining.length }
}

export const proceed: Pace = () => Promise.resolve(true)
export const stop: Pace = () => Promise.resolve(false)

function answerOf(script: Script): EgressAnswer {
  if (script === 'reset') {
    return {
      kind: 'failed',
      reason: 'reset',
      detail: 'the connection was closed',
      remoteAddress: null,
      timings,
      status: null,
    }
  }
  return {
    kind: 'answered',
    status: script.status ?? 200,
    headers: script.headers ?? {},
    body: Buffer.from(script.body ?? ''),
    truncated: script.truncated ?? false,
    remoteAddress: null,
    timings,
  }
}
