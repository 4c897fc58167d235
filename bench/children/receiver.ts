import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { answerCalls } from './calls.ts'

/**
 * The receiver of all requests, which counts them and answers 200. It only detects the end of a request, so that the sender is measured. It
 * handles one request at a time per connection.
 */

export type ReceiverOptions = {
  /** Answers after this time. */
  readonly delayMs?: number
  /** Each server works on as many requests at once; the others wait. Only with `delayMs`. */
  readonly atOnce?: number
  /** Answers over TLS with this key and certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ndate: Mon, 01 Jan 2035 00:00:00 GMT\r\ncontent-length: 2\r\n\r\nok',
)
const LENGTH = 'content-length: '

const servers: Server[] = []
const sockets = new Set<Socket>()
let count = 0
let firstAtMs = 0
let lastAtMs = 0
let lastBody: Buffer = Buffer.alloc(0)
let expectedCount = 0
let reached = () => {}

type Answerer = (socket: Socket, body: Buffer) => void

/** Null: never answers. */
function serve(answerer: Answerer | null) {
  return (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setNoDelay(true)
    let pending: Buffer | null = null
    socket.on('data', (chunk: Buffer) => {
      const request: Buffer = pending === null ? chunk : Buffer.concat([pending, chunk])
      const headEnd = request.indexOf('\r\n\r\n')
      pending = request
      if (headEnd < 0) return
      const bodyStart = headEnd + 4
      const head = request.toString('latin1', 0, headEnd)
      const lengthAt = head.indexOf(LENGTH)
      const length = lengthAt < 0 ? 0 : Number.parseInt(head.slice(lengthAt + LENGTH.length), 10)
      if (request.length < bodyStart + length) return
      pending = null
      answerer?.(socket, request.subarray(bodyStart, bodyStart + length))
    })
  }
}

/** Answers after `delayMs`, at most `atOnce` requests at a time, in the order of their arrival. */
function delayed(delayMs: number, atOnce: number): Answerer {
  const waiting: (() => void)[] = []
  let working = 0
  return (socket, body) => {
    const work = () => {
      working += 1
      setTimeout(() => {
        working -= 1
        answer(socket, body)
        waiting.shift()?.()
      }, delayMs)
    }
    if (working < atOnce) work()
    else waiting.push(work)
  }
}

function answer(socket: Socket, body: Buffer): void {
  lastAtMs = performance.now()
  if (count === 0) firstAtMs = lastAtMs
  count += 1
  lastBody = body
  socket.write(ANSWER)
  if (count === expectedCount) reached()
}

async function open(
  ports: number,
  answers: boolean,
  { delayMs, atOnce = Number.POSITIVE_INFINITY, tls }: ReceiverOptions = {},
): Promise<string[]> {
  const urls: string[] = []
  for (let opened = 0; opened < ports; opened++) {
    const handler = serve(answers ? (delayMs === undefined ? answer : delayed(delayMs, atOnce)) : null)
    const server = (tls === undefined ? createServer(handler) : createTlsServer(tls, handler)).listen(
      0,
      '127.0.0.1',
      1024,
    )
    await once(server, 'listening')
    servers.push(server)
    urls.push(
      `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    )
  }
  return urls
}

answerCalls(
  {
    /**
     * * URLs of `ports` servers, each a separate host for the limit per host. If `answers` is false, they never respond.
     */
    open,
    /** Resets the count. */
    reset: () => {
      count = 0
      expectedCount = 0
    },
    /** Resolves at the request with this number, with the milliseconds since the first one. */
    received: async (number: number) => {
      if (count < number) {
        const arrival = Promise.withResolvers<void>()
        expectedCount = number
        reached = arrival.resolve
        await arrival.promise
      }
      return lastAtMs - firstAtMs
    },
    count: () => count,
    lastBody: () => lastBody.toString('utf8'),
  },
  async () => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  },
)
