import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type WebhookEvent, webhookEvent } from '../../src/contract/webhook.ts'
import { listen } from './listen.ts'
import { until } from './until.ts'

export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The raw bytes. */
  readonly body: Buffer
}

/** A server as the target of a hook. Answers 204 by default. */
export type TestReceiver = AsyncDisposable & {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Sets the response from now on. */
  answerWith: (status: number, headers?: Record<string, string>, body?: string) => void
  /** Waits for the first `count` requests. */
  readonly received: (count: number) => Promise<readonly ReceivedRequest[]>
}

export async function startReceiver(): Promise<TestReceiver> {
  const requests: ReceivedRequest[] = []
  let answer = { status: 204, headers: {} as Record<string, string>, body: '' }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const listening = await listen(server)
  return {
    url: `${listening.url}/hook`,
    requests,
    answerWith: (status, headers = {}, body = '') => {
      answer = { status, headers, body }
    },
    received: (count) =>
      until(`${count} requests have arrived`, () => requests.length >= count && requests.slice(0, count)),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

/** The `x-radar-signature` of these bytes (docs/contract.md, Signatures), computed independently of the service. */
export function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** The request's body as an event of the contract. Throws if it is invalid. */
export function eventOf(request: ReceivedRequest): WebhookEvent {
  return webhookEvent.parse(JSON.parse(request.body.toString('utf8')))
}
