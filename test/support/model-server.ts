import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** One request at the model server. */
export type ModelRequest = {
  readonly path: string
  readonly authorization: string | null
  readonly responseFormat: string
  /** All fields of the request except the messages. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** The app in the last document of reviews. */
  readonly app: { readonly name: string; readonly developer?: string } | null
  /** The reviews in the last document of reviews. */
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly text: string
    readonly stars: number
  }[]
}

/** Returns the content of the only choice, or null if it wrote a custom response. */
export type Behaviour = (
  request: ModelRequest,
  response: ServerResponse,
  count: number,
) => string | null | Promise<string | null>

export type ModelServer = AsyncDisposable & { readonly url: string; readonly requests: ModelRequest[] }

/** A language model server with configurable behaviour. */
export async function startModelServer(behave: Behaviour): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = readRequest(incoming, JSON.parse(await text(incoming)))
    requests.push(request)
    const content = await behave(request, response, requests.length)
    if (content === null || response.writableEnded) return
    sendChoice(response, content)
  })
  const listening = await listen(server)
  return {
    url: `${listening.url}/v1`,
    requests,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** A valid result for one review. */
export function labels(id: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    language: 'en',
    sentiment: 'negative',
    themes: ['stability_crash'],
    is_feature_request: false,
    feature_slug: null,
    feature_phrase: null,
    is_bug_report: true,
    severity: 'high',
    mentions_competitor: false,
    competitor_named: null,
    other_topic: null,
    summary_en: 'The app crashes at start.',
    ...change,
  }
}

/** Whether the request is for a draft of an answer, instead of enrichments. */
export function asksForDraft({ messages }: ModelRequest): boolean {
  return messages[0]?.content.startsWith('You draft ') ?? false
}

/** Whether the request is for a translation of a review. */
export function asksForTranslation({ messages }: ModelRequest): boolean {
  return messages[0]?.content.startsWith('You translate ') ?? false
}

/** Returns a valid result for every review. */
export const labelAll: Behaviour = (request) =>
  JSON.stringify({ reviews: request.items.map(({ id }) => labels(id)) })

export function sendChoice(response: ServerResponse, content: string, finishReason = 'stop'): void {
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'chat-1',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  )
}

function readRequest(incoming: IncomingMessage, body: Record<string, unknown>): ModelRequest {
  const messages = body.messages as ModelRequest['messages']
  const question = messages.findLast((message) => message.role === 'user' && message.content.startsWith('{'))
  const { messages: _, ...parameters } = body
  const format = body.response_format as { type?: string } | undefined
  return {
    path: incoming.url ?? '',
    authorization: incoming.headers.authorization ?? null,
    responseFormat: format?.type ?? 'none',
    parameters,
    messages,
    app: question === undefined ? null : (JSON.parse(question.content).app ?? null),
    items: question === undefined ? [] : (JSON.parse(question.content).reviews ?? []),
  }
}
