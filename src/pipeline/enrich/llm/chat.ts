import type { Egress } from '../../../runtime/egress/egress.ts'
import type { ChatMessage } from './prompt.ts'
import { type BadRequest, badRequest, type Parameter } from './server-limits.ts'

/**
 * Output formats, strictest first. Some servers accept a format but ignore it, so every answer is checked. After a
 * rejection the next format is tried, and a format that works is used from then on.
 */
export const OUTPUT_FORMATS = ['json_schema', 'json_object', 'prompt'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** The most bytes to read of an answer; ten reviews take about 5 KiB. */
const ANSWER_BYTES_MAX = 256 * 1024

/** The JSON that the model should answer with. */
export type AnswerShape = {
  readonly name: string
  readonly schema: object
  /** Output tokens. */
  readonly tokensMax: number
}

export type ChatAnswer =
  | { readonly kind: 'answered'; readonly text: string }
  /** The server answered 400 or 422. */
  | { readonly kind: 'bad_request'; readonly about: BadRequest; readonly detail: string }
  | {
      readonly kind: 'failed'
      readonly reason:
        | 'unreachable'
        | 'timeout'
        | 'rate_limited'
        | 'unauthorized'
        | 'server_error'
        | 'refused'
        | 'cut_off'
        | 'unreadable'
      readonly detail: string
    }

export type ChatDeps = {
  readonly egress: Egress
  /** Base URL of the API, e.g. `http://127.0.0.1:11434/v1`; `/chat/completions` is added. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | null
}

/** Sends one chat completions request. Every failure is a value. */
export async function chat(
  deps: ChatDeps,
  request: {
    readonly messages: readonly ChatMessage[]
    readonly outputFormat: OutputFormat
    /** The parameters that the server accepts. */
    readonly parameters: readonly Parameter[]
    readonly shape: AnswerShape
    readonly timeoutMs: number
    readonly signal: AbortSignal
  },
): Promise<ChatAnswer> {
  const answer = await deps.egress.request({
    method: 'POST',
    url: `${deps.url.replace(/(?<!\/)\/+$/, '')}/chat/completions`,
    headers: {
      'content-type': 'application/json',
      ...(deps.apiKey === null ? {} : { authorization: `Bearer ${deps.apiKey}` }),
    },
    body: JSON.stringify({
      model: deps.model,
      messages: request.messages,
      ...Object.fromEntries(request.parameters.map((name) => [name, parameterValue(name, request.shape)])),
      ...responseFormat(request.outputFormat, request.shape),
    }),
    timeoutMs: request.timeoutMs,
    bodyBytesMax: ANSWER_BYTES_MAX,
    signal: request.signal,
  })
  if (answer.kind === 'failed') {
    const reason = answer.reason.startsWith('timeout') ? 'timeout' : 'unreachable'
    return { kind: 'failed', reason, detail: answer.detail }
  }
  const body = answer.body.toString('utf8')
  if (answer.status !== 200) return failureOf(answer.status, body, request)
  return textOf(body, answer.truncated)
}

function parameterValue(parameter: Parameter, { tokensMax }: AnswerShape): number {
  return parameter === 'temperature' ? 0 : tokensMax
}

function responseFormat(outputFormat: OutputFormat, { name, schema }: AnswerShape): object {
  if (outputFormat === 'prompt') return {}
  if (outputFormat === 'json_object') return { response_format: { type: 'json_object' } }
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name, strict: true, schema },
    },
  }
}

function failureOf(
  status: number,
  body: string,
  {
    parameters,
    outputFormat,
  }: { readonly parameters: readonly Parameter[]; readonly outputFormat: OutputFormat },
): ChatAnswer {
  const detail = `The model server answered ${status}.`
  if (status === 400 || status === 422)
    return { kind: 'bad_request', about: badRequest(body, parameters, outputFormat !== 'prompt'), detail }
  if (status === 401 || status === 403) return { kind: 'failed', reason: 'unauthorized', detail }
  if (status === 429) return { kind: 'failed', reason: 'rate_limited', detail }
  return { kind: 'failed', reason: status >= 500 ? 'server_error' : 'refused', detail }
}

/** The text of the first choice, or why there is none: a refusal, a truncated or an unreadable answer. */
function textOf(body: string, truncated: boolean): ChatAnswer {
  const unreadable = {
    kind: 'failed',
    reason: 'unreadable',
    detail: 'The model server’s response is not a chat completion.',
  } as const
  if (truncated)
    return { ...unreadable, detail: `The model server answered more than ${ANSWER_BYTES_MAX} bytes.` }
  let choice: { finish_reason?: unknown; message?: { content?: unknown; refusal?: unknown } } | undefined
  try {
    const parsed: unknown = JSON.parse(body)
    const choices =
      typeof parsed === 'object' && parsed !== null && 'choices' in parsed ? parsed.choices : null
    choice = Array.isArray(choices) ? choices[0] : undefined
  } catch {
    return unreadable
  }
  if (choice === undefined || choice === null || typeof choice !== 'object') return unreadable
  const { refusal, content } = choice.message ?? {}
  if (typeof refusal === 'string' && refusal !== '') {
    return { kind: 'failed', reason: 'refused', detail: 'The model refused to answer.' }
  }
  if (choice.finish_reason === 'length') {
    return { kind: 'failed', reason: 'cut_off', detail: 'The answer was truncated at the token limit.' }
  }
  return typeof content === 'string' && content !== '' ? { kind: 'answered', text: content } : unreadable
}
