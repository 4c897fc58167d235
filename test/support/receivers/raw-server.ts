import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** A running receiver. */
export type Running = {
  readonly url: string
  /** Complete requests as text, oldest first. */
  readonly requests: readonly string[]
  /** Bytes written to all connections so far. */
  readonly bytesOut: () => number
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Called for each complete request. `number` counts them from 1 over all connections. */
export type Answer = (socket: Socket, number: number, request: string) => void

export type RawOptions = {
  readonly answer?: Answer
  /** Called for each connection. Requests are then not read. */
  readonly onConnection?: (socket: Socket) => void
  /** Called at the first bytes of a request, before it is complete. */
  readonly onFirstByte?: (socket: Socket) => void
  readonly tls?: TlsOptions
  /** The host in the URL, 127.0.0.1 by default. */
  readonly host?: string
  readonly scheme?: 'http' | 'https'
  readonly path?: string
}

/** A server on 127.0.0.1 that writes raw bytes, so that it can violate HTTP. */
export async function startRaw(options: RawOptions): Promise<Running> {
  const sockets: Socket[] = []
  const requests: string[] = []
  const onSocket = (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    if (options.onConnection) options.onConnection(socket)
    else readRequests(socket, requests, options)
  }
  const server = options.tls ? createTlsServer(options.tls, onSocket) : createServer(onSocket)
  server.on('tlsClientError', () => {})
  // The handler above gets a TLS connection only after its handshake.
  if (options.tls) server.on('connection', (socket: Socket) => sockets.push(socket))
  const port = await listen(server)
  const scheme = options.scheme ?? (options.tls ? 'https' : 'http')
  return {
    url: `${scheme}://${options.host ?? '127.0.0.1'}:${port}${options.path ?? '/hook'}`,
    requests,
    bytesOut: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    connections: () => sockets.length,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A complete response with a content length. */
export function response(status: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers })
  return `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** Writes as fast as the client reads, until the connection closes. */
export function flood(socket: Socket, next: () => string | Buffer): void {
  const write = () => {
    while (!socket.destroyed) if (!socket.write(next())) break
  }
  socket.on('drain', write)
  write()
}

/** Writes one piece every `everyMs` until the connection closes. */
export function drip(socket: Socket, everyMs: number, next: () => string | Buffer): void {
  const timer = setInterval(() => socket.write(next()), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Closes the connection with a TCP reset. */
export function reset(socket: Socket): void {
  socket.resetAndDestroy()
}

function readRequests(socket: Socket, requests: string[], options: RawOptions): void {
  let text = ''
  let begun = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (!begun) {
      begun = true
      options.onFirstByte?.(socket)
    }
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
    const requestLength = end + 4 + length
    if (text.length < requestLength) return
    const request = text.slice(0, requestLength)
    text = text.slice(requestLength)
    begun = false
    requests.push(request)
    options.answer?.(socket, requests.length, request)
  })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
