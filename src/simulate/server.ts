import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { createBoundedCache } from '../runtime/bounded-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { SimulatedAnswer, SimulatedRequest } from './answer.ts'
import { handleApple } from './apple/apple.ts'
import { handleGoogle } from './google/google.ts'
import { type Control, createControl } from './server-control.ts'
import type { World } from './world.ts'

export type Simulation = AsyncDisposable & {
  /** Replaces itunes.apple.com and apps.apple.com. */
  readonly appleUrl: string
  /** Replaces play.google.com. */
  readonly googleUrl: string
  readonly world: World
}

/** More than any request of a store client has. */
const BODY_BYTES_MAX = 1024 * 1024
/** Smaller answers are not compressed. */
const GZIP_BYTES_MIN = 1024
/** Compressed answers that are kept: some MB. */
const ZIPPED_MAX = 100

/**
 * Runs the two stores as local servers with one world. `/simulate/…` on either server controls them. Apple listens on `port`, Google on the
 * next one; without `port`, both use a free one. Rejects when a port is in use.
 */
export async function startSimulation(options: {
  readonly host: string
  readonly port?: number
  readonly world: World
  readonly clock: Clock
  readonly log: Log
}): Promise<Simulation> {
  const { host, port, world } = options
  const stop = new AbortController()
  const control = createControl(options)
  const zip = createZip()
  const serve = (handle: typeof handleApple, portWanted: number) =>
    listen(
      createServer((request, response) => {
        handleRequest({ ...options, zip }, handle, control, request, response, stop.signal).catch(
          (error: unknown) => {
            options.log.error('simulation.failed', { url: request.url, error: String(error) })
            response.destroy()
          },
        )
      }),
      host,
      portWanted,
    )
  const apple = await serve(handleApple, port ?? 0)
  const google = await serve(handleGoogle, port === undefined ? 0 : port + 1).catch(
    async (error: unknown) => {
      await close(apple)
      throw error
    },
  )
  return {
    appleUrl: urlOf(host, apple),
    googleUrl: urlOf(host, google),
    world,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all([close(apple), close(google)])
    },
  }
}

async function handleRequest(
  deps: { readonly world: World; readonly clock: Clock; readonly zip: Zip },
  handle: (world: World, request: SimulatedRequest) => SimulatedAnswer,
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const body = await bodyOf(request)
  const { method = 'GET', url = '/' } = request
  if (body === null) {
    response.writeHead(413).end()
    return
  }
  const parsed = URL.parse(url, 'http://simulation')
  if (parsed === null) {
    response.writeHead(400).end()
    return
  }
  if (/^\/simulate(\/|$)/.test(parsed.pathname)) {
    const answer = control(method, parsed, body)
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(`${JSON.stringify(answer.body, null, 2)}\n`)
    return
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
  const answer = handle(deps.world, { method, url, headers, body, at: deps.clock.now() })
  if (answer.delayMs !== undefined) await deps.clock.sleep(answer.delayMs, signal)
  if (answer.drop === true) {
    request.socket.destroy()
    return
  }
  await reply(answer, response, /\bgzip\b/.test(headers['accept-encoding'] ?? '') ? deps.zip : null)
}

type Zip = (plain: Uint8Array) => Promise<Uint8Array>

/** Compresses fast, and each body only once: most polls get the same answer again. */
function createZip(): Zip {
  const zipped = createBoundedCache<string, Promise<Uint8Array>>(ZIPPED_MAX)
  return (plain) => {
    const key = hash('sha1', plain)
    const known = zipped.get(key) ?? promisify(gzip)(plain, { level: constants.Z_BEST_SPEED })
    zipped.set(key, known)
    return known
  }
}

/** `zip` is null when the client accepts no compressed answer. */
async function reply(answer: SimulatedAnswer, response: ServerResponse, zip: Zip | null): Promise<void> {
  const plain = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  const zipped = zip !== null && plain.length >= GZIP_BYTES_MIN && !('content-encoding' in answer.headers)
  const body = zipped ? await zip(plain) : plain
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  })
  response.end(body)
}

/** Null when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function listen(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function urlOf(host: string, server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
