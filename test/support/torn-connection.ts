import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy to a PostgreSQL server that can lose the answer to a commit. */
export type TornConnection = AsyncDisposable & {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** The next commit takes effect on the server, and the connection breaks before its answer arrives. */
  readonly tearNextCommit: () => void
  /** How many commits lost their answer. */
  readonly torn: () => number
}

/** The message that the driver sends for a commit: a simple query. */
const COMMIT = Buffer.from('commit\0')
/** The server's answer to a finished commit. */
const COMMITTED = Buffer.from('COMMIT\0')

export async function tearConnection(serverUrl: string): Promise<TornConnection> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let tear = false
  let torn = 0
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isCommitting = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (tear && bytes.includes(COMMIT)) {
        tear = false
        isCommitting = true
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isCommitting && bytes.includes(COMMITTED)) {
        torn += 1
        client.destroy()
      } else client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address !== null ? address.port : '')
  return {
    url: url.href,
    tearNextCommit: () => {
      tear = true
    },
    torn: () => torn,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
